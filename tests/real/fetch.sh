#!/bin/sh
# Unpacks the servers of the real-server tests into a folder, without installing them: fetch.sh FOLDER
# Installing would start daemons and make packages conflict (each FTP server with every other, a news server with the
# machine's name); unpacking needs no rights beyond the folder's.
set -eu
folder=$(mkdir -p "$1" && cd "$1" && pwd)
packages="gophernicus libwrap0 pygopherd python3-simpletal media-types
  vsftpd proftpd-core proftpd-mod-crypto libhashkit2 libhiredis0.14 libmemcached11 libmemcachedutil2 libpcre2-posix3
  python3-pyftpdlib inn2 inn2-inews libcanlock3 nginx nginx-common"
missing=
for package in $packages; do
  [ -e "$folder/$package/.unpacked" ] || missing="$missing $package"
done
if [ -n "$missing" ]; then
  mkdir -p "$folder/.debs"
  cd "$folder/.debs"
  # All at once: one look at the package lists, downloads side by side.
  apt-get -q -o APT::Sandbox::User=root -o Acquire::Retries=3 download $missing
  for package in $missing; do
    mkdir -p "$folder/$package"
    dpkg-deb -x "$package"_*.deb "$folder/$package"
    touch "$folder/$package/.unpacked"
  done
  rm -r "$folder/.debs"
fi
chmod -R a+rX "$folder"
echo "servers are in $folder"
