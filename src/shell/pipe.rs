//! Programs that are given a text and whose output is a page; where they have none, how they ended is.

use crate::format::guess;
use crate::proto::{End, Exchange, FetchError, Head, Kind, Request, Verdict};
use std::process::{ExitStatus, Stdio};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStderr, ChildStdout, Command};
use tokio::runtime::Handle;

/// Octets of a complaint that are shown.
const COMPLAINT: u64 = 1000;
/// Words that mean something to a shell, which reads none of this.
const SIGNS: [&str; 8] = [">", ">>", "<", "|", "2>", "&&", "||", ";"];

/// Runs a program to its end, begun by threads that may (`starters`); it is killed when nobody waits for it any more.
pub(super) async fn fetch(
    request: &Request,
    program: &[String],
    starters: &Handle,
    input: Vec<u8>,
    exchange: &mut Exchange,
    most: u64,
) -> Result<End, FetchError> {
    let Some((name, arguments)) = program.split_first() else {
        return Err(FetchError::new(Kind::Unsupported, "No program was named."));
    };
    let failed = |what: &str, error: std::io::Error| FetchError::new(Kind::Broken, format!("{name} {what}: {error}."));
    let mut command = Command::new(name);
    command
        .args(arguments.iter().map(|word| super::place::on_the_disk(word)))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    let started = starters.spawn(async move { command.spawn() }).await.unwrap_or_else(|error| Err(error.into()));
    let mut child = started.map_err(|error| failed("could not be started", error))?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    // A program that has read enough closes its input; that is no failure.
    let write = async move {
        if let Some(mut stdin) = stdin {
            let _ = stdin.write_all(&input).await;
        }
    };
    let (said, complaint, ()) = tokio::join!(relay(request, stdout, exchange, most), complaint(stderr), write);
    let octets = match said {
        Said::All(octets) => octets,
        Said::Enough => {
            // It would wait for a reader of the rest.
            let _ = child.start_kill();
            return Ok(End { cut: Some(format!("{name} says more than a page may hold")) });
        }
        Said::Refused => return Ok(End::default()),
        Said::Gone(error) => return Err(error),
    };
    let status = child.wait().await.map_err(|error| failed("was lost sight of", error))?;
    let complaint = complaint.trim();
    if octets == 0 {
        // A page of nothing would not say that it was all; whoever wants no page is told nothing in its place.
        let page =
            request.url.query().map_or_else(Vec::new, |_| nothing(name, arguments, status, complaint).into_bytes());
        if exchange.head(head(request, &page)).await? == Verdict::Refuse {
            return Ok(End::default());
        }
        exchange.body(page).await?;
    }
    let first = complaint.lines().next().unwrap_or_default();
    let cut = match (status.success(), first.is_empty()) {
        (true, _) => None,
        (false, true) => Some(format!("{name} ended with {status}")),
        (false, false) => Some(format!("{name} ended with {status}: {first}")),
    };
    Ok(End { cut })
}

/// What stands for the output of a program that had none: how it ended, and what it wrote to standard error.
fn nothing(name: &str, arguments: &[String], status: ExitStatus, complaint: &str) -> String {
    let mut page = format!("{name} ended with {status} and printed nothing.\n");
    if !complaint.is_empty() {
        page.push_str(&format!("\nOn standard error it said:\n\n{complaint}\n"));
    }
    if let Some(sign) = arguments.iter().find(|word| SIGNS.contains(&word.as_str())) {
        page.push_str(&format!(
            "\nNo shell reads such a line: {name} was given {sign} as a word. tee FILE writes what it is given into a file.\n"
        ));
    }
    page
}

fn head(request: &Request, beginning: &[u8]) -> Head {
    Head { title: None, ..Head::new(request.url.clone(), guess::of_file("", beginning)) }
}

/// How a program's output ended.
enum Said {
    /// All of it, so many octets; of none not even a head.
    All(u64),
    Enough,
    Refused,
    Gone(FetchError),
}

async fn relay(request: &Request, stdout: Option<ChildStdout>, exchange: &mut Exchange, most: u64) -> Said {
    let Some(mut stdout) = stdout else { return Said::All(0) };
    let mut total = 0_u64;
    loop {
        let mut piece = vec![0; 1 << 16];
        let read = match stdout.read(&mut piece).await {
            Ok(read) => read,
            Err(error) => return Said::Gone(FetchError::new(Kind::Broken, format!("its output broke off: {error}."))),
        };
        piece.truncate(read);
        if read == 0 {
            return Said::All(total);
        }
        if total == 0 {
            match exchange.head(head(request, &piece)).await {
                Ok(Verdict::Accept) => {}
                Ok(Verdict::Refuse) => return Said::Refused,
                Err(gone) => return Said::Gone(gone.into()),
            }
        }
        total += read as u64;
        if let Err(gone) = exchange.body(piece).await {
            return Said::Gone(gone.into());
        }
        if total > most {
            return Said::Enough;
        }
    }
}

/// The beginning of what it wrote to standard error; the rest is read and forgotten, so that it never waits.
async fn complaint(stderr: Option<ChildStderr>) -> String {
    let Some(mut stderr) = stderr else { return String::new() };
    let mut start = Vec::new();
    // What cannot be read is not shown.
    let _ = (&mut stderr).take(COMPLAINT).read_to_end(&mut start).await;
    let _ = tokio::io::copy(&mut stderr, &mut tokio::io::sink()).await;
    String::from_utf8_lossy(&start).into_owned()
}
