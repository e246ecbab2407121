//! A server of SFTP in place of `ssh`: files and directories in a table, and answers that lie where a test wants them to.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::sync::mpsc;
use wayfarer::proto::sftp::{Call, Pipes, Ssh};

/// What stands at a path.
#[derive(Debug, Clone)]
pub enum Node {
    File(Vec<u8>),
    /// Names, each with its mode and size.
    Directory(Vec<(Vec<u8>, u32, u64)>),
    Link(Vec<u8>),
}

/// How it lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lie {
    None,
    /// Gives five octets at a time, whatever is asked for.
    Short,
    /// Gives the beginning of a file only after what follows it.
    Crossed,
    /// Prints words where its first packet is to be.
    Words,
    /// Ends at once, with this complaint.
    Complains(&'static str),
    /// Says nothing any more after its version.
    Silent,
    /// Answers a question that nobody asked.
    Other,
    /// Lists nothing but the directory itself, again and again.
    Lists,
    /// Ends in the middle of a file.
    Ends,
    /// Ends at the first question of a second visit.
    EndsLater,
}

/// A server; what it heard can be asked.
pub struct Server {
    pub ssh: Ssh,
    /// The arguments of each run.
    pub runs: Arc<Mutex<Vec<Vec<String>>>>,
}

impl Server {
    pub fn start(nodes: &[(&str, Node)], lie: Lie) -> Server {
        let nodes: BTreeMap<Vec<u8>, Node> =
            nodes.iter().map(|(path, node)| (path.as_bytes().to_vec(), node.clone())).collect();
        let (starter, mut calls) = mpsc::unbounded_channel::<Call>();
        let runs: Arc<Mutex<Vec<Vec<String>>>> = Arc::default();
        let heard = Arc::clone(&runs);
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async move {
                while let Some(Call { arguments, answer }) = calls.recv().await {
                    heard.lock().unwrap().push(arguments);
                    let (input, stdin) = duplex(1 << 16);
                    let (output, stdout) = duplex(1 << 16);
                    let (complaint, stderr) = duplex(1 << 12);
                    let pipes = Pipes {
                        input: Box::new(input),
                        output: Box::new(output),
                        complaint: Box::new(complaint),
                        run: Box::new(()),
                    };
                    let _ = answer.send(Ok(pipes));
                    let run = Run {
                        nodes: nodes.clone(),
                        lie,
                        handles: Vec::new(),
                        late: Vec::new(),
                        asked: 0,
                        crossed: false,
                    };
                    tokio::spawn(run.serve(stdin, stdout, stderr));
                }
            });
        });
        Server { ssh: Ssh::new(starter), runs }
    }
}

/// An open file or directory, and whether its names were given.
struct Handle(Vec<u8>, bool);

struct Run {
    nodes: BTreeMap<Vec<u8>, Node>,
    lie: Lie,
    handles: Vec<Handle>,
    late: Vec<Vec<u8>>,
    asked: usize,
    crossed: bool,
}

impl Run {
    async fn serve(mut self, mut input: DuplexStream, mut output: DuplexStream, mut complaint: DuplexStream) {
        match self.lie {
            Lie::Words => {
                let _ = output.write_all(b"Welcome to the machine!\n").await;
                return;
            }
            Lie::Complains(words) => {
                let _ = complaint.write_all(words.as_bytes()).await;
                return;
            }
            _ => {}
        }
        while let Some(packet) = heard(&mut input).await {
            let answer = if packet[0] == 1 { vec![2, 0, 0, 0, 3] } else { self.answer(&packet) };
            if packet[0] != 1 && self.lie == Lie::Silent {
                while heard(&mut input).await.is_some() {}
                return;
            }
            if answer.is_empty() {
                return;
            }
            self.late.push(answer);
            let wait = self.lie == Lie::Crossed && packet[0] == 5 && !std::mem::replace(&mut self.crossed, true);
            while let Some(answer) = if wait { None } else { self.late.pop() } {
                let length = u32::try_from(answer.len()).unwrap().to_be_bytes();
                if output.write_all(&[&length[..], &answer].concat()).await.is_err() {
                    return;
                }
            }
        }
    }

    fn answer(&mut self, packet: &[u8]) -> Vec<u8> {
        let number = if self.lie == Lie::Other { [9; 4] } else { packet[1..5].try_into().unwrap() };
        let mut fields = &packet[5..];
        let what = text(&mut fields);
        let what: Vec<u8> = if what == b"." { b"/home/joe".to_vec() } else { what };
        let path = if what.len() > 1 { what.strip_suffix(b"/").unwrap_or(&what).to_vec() } else { what.clone() };
        let node = self.nodes.get(&path).cloned();
        self.asked += 1;
        if self.lie == Lie::EndsLater && self.asked > 6 {
            return Vec::new();
        }
        let mut out = Vec::new();
        let mut status = |code: u32| {
            out = vec![101];
            out.extend_from_slice(&number);
            out.extend_from_slice(&code.to_be_bytes());
            out.extend_from_slice(&[0, 0, 0, 4]);
            out.extend_from_slice(b"word\0\0\0\0");
            out.clone()
        };
        match (packet[0], node) {
            // REALPATH, READLINK
            (16, Some(_)) => names(number, &[(path, 0, 0)]),
            (19, Some(Node::Link(target))) => names(number, &[(target, 0, 0)]),
            // STAT follows links
            (17, Some(Node::Link(target))) if self.nodes.contains_key(&target) => {
                [&[105][..], &number, &attributes(0o100_644, 1)].concat()
            }
            (17, Some(Node::File(octets))) => {
                [&[105][..], &number, &attributes(0o100_644, octets.len() as u64)].concat()
            }
            (17, Some(Node::Directory(_))) => [&[105][..], &number, &attributes(0o040_755, 0)].concat(),
            // OPEN, OPENDIR
            (3 | 11, Some(_)) => {
                self.handles.push(Handle(path, false));
                let handle = u8::try_from(self.handles.len() - 1).unwrap();
                [&[102][..], &number, &[0, 0, 0, 1, handle]].concat()
            }
            (4, _) => status(0),
            // READDIR
            (12, _) if self.lie == Lie::Lists => names(number, &[(b".".to_vec(), 0o040_755, 0)]),
            (12, _) => {
                let Handle(path, over) = &mut self.handles[usize::from(what[0])];
                match self.nodes.get(path) {
                    Some(Node::Directory(entries)) if !std::mem::replace(over, true) => names(number, entries),
                    _ => status(1),
                }
            }
            // READ
            (5, _) => {
                let offset = usize::try_from(u64::from_be_bytes(fields[..8].try_into().unwrap())).unwrap();
                let length = u32::from_be_bytes(fields[8..12].try_into().unwrap()) as usize;
                let Some(Node::File(octets)) = self.nodes.get(&self.handles[usize::from(what[0])].0) else {
                    return status(4);
                };
                if self.lie == Lie::Ends && offset > 0 {
                    return Vec::new();
                }
                let length = if self.lie == Lie::Short { 5 } else { length };
                match octets.get(offset..) {
                    Some(rest) if !rest.is_empty() => {
                        let piece = &rest[..rest.len().min(length)];
                        let count = u32::try_from(piece.len()).unwrap().to_be_bytes();
                        [&[103][..], &number, &count, piece].concat()
                    }
                    _ => status(1),
                }
            }
            (_, None) if path.ends_with(b"secret") => status(3),
            _ => status(2),
        }
    }
}

fn names(number: [u8; 4], entries: &[(Vec<u8>, u32, u64)]) -> Vec<u8> {
    let count = u32::try_from(entries.len()).unwrap().to_be_bytes();
    let mut out = [&[104][..], &number, &count].concat();
    for (name, mode, size) in entries {
        for text in [&name[..], b"-rw-r--r-- of people"] {
            out.extend_from_slice(&u32::try_from(text.len()).unwrap().to_be_bytes());
            out.extend_from_slice(text);
        }
        out.extend_from_slice(&attributes(*mode, *size));
    }
    out
}

/// Size, mode and times.
fn attributes(mode: u32, size: u64) -> Vec<u8> {
    let time = 1_000_000_000_u32.to_be_bytes();
    [&13_u32.to_be_bytes()[..], &size.to_be_bytes(), &mode.to_be_bytes(), &time, &time].concat()
}

fn text(fields: &mut &[u8]) -> Vec<u8> {
    let length = u32::from_be_bytes(fields[..4].try_into().unwrap()) as usize;
    let text = fields[4..4 + length].to_vec();
    *fields = &fields[4 + length..];
    text
}

async fn heard(input: &mut DuplexStream) -> Option<Vec<u8>> {
    let length = input.read_u32().await.ok()?;
    let mut packet = vec![0; length as usize];
    input.read_exact(&mut packet).await.ok()?;
    Some(packet)
}
