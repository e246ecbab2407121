//! Starting `ssh` for threads that may start no programs: calls come in, pipes go out.

use crate::proto::sftp::{Call, Pipes, Ssh};
use std::io;
use std::process::Stdio;
use tokio::process::Command;
use tokio::sync::mpsc;

/// The way to `ssh`, and what has to run where programs may be started.
pub(super) fn way(program: String) -> (Ssh, impl Future<Output = ()>) {
    let (starter, mut calls) = mpsc::unbounded_channel::<Call>();
    let serve = async move {
        while let Some(Call { arguments, answer }) = calls.recv().await {
            // Whoever has gone meanwhile ends what was started.
            let _ = answer.send(start(&program, &arguments));
        }
    };
    (Ssh::new(starter), serve)
}

/// The same from a thread of its own, which may start programs: it is begun before the others are confined.
pub(super) fn thread(program: String) -> io::Result<Ssh> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (ssh, serve) = way(program);
    std::thread::Builder::new().name("ssh".into()).spawn(move || runtime.block_on(serve))?;
    Ok(ssh)
}

/// In a process group of its own: keys of the terminal that are signals are not for it.
fn start(program: &str, arguments: &[String]) -> io::Result<Pipes> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.process_group(0).kill_on_drop(true).spawn()?;
    let (input, output, complaint) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let none = || io::Error::other("it has no pipes");
    Ok(Pipes {
        input: Box::new(input.ok_or_else(none)?),
        output: Box::new(output.ok_or_else(none)?),
        complaint: Box::new(complaint.ok_or_else(none)?),
        run: Box::new(child),
    })
}
