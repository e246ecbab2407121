#!/bin/sh
# Unpacks the servers of the real-server tests into a folder, without installing them: fetch.sh FOLDER
# Installing would start daemons and make packages conflict; unpacking needs no rights beyond the folder's.
set -eu
folder=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$folder"
for package in gophernicus libwrap0 pygopherd python3-simpletal media-types; do
  [ -e "$package/.unpacked" ] && continue
  apt-get -q -o APT::Sandbox::User=root -o Acquire::Retries=3 download "$package"
  mkdir -p "$package"
  dpkg-deb -x "$package"_*.deb "$package"
  rm -f "$package"_*.deb
  touch "$package/.unpacked"
done
chmod -R a+rX "$folder"
echo "servers are in $folder"
