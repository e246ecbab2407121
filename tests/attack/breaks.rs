//! The rules, broken on purpose: where, how, and which check has to see it.

/// A way to break a rule.
pub struct Break {
    pub name: &'static str,
    /// The checks that have to fail, each by itself: of this program, or `PROGRAM/TEST` of another one.
    pub seen_by: &'static [&'static str],
    /// In which file which text, of which there is one, becomes which.
    pub changes: &'static [(&'static str, &'static str, &'static str)],
}

const fn broken(
    name: &'static str,
    seen_by: &'static [&'static str],
    changes: &'static [(&'static str, &'static str, &'static str)],
) -> Break {
    Break { name, seen_by, changes }
}

const SANITISE: &str = "src/doc/sanitise.rs";

pub const BREAKS: &[Break] = &[
    // 1: text
    broken(
        "text: control characters are text",
        &["text::printed_gopher"],
        &[(
            SANITISE,
            "'\\0'..='\\x1f' => Verdict::Picture(char::from_u32(0x2400 + u32::from(c)).unwrap_or('␛')),",
            "'\\0'..='\\x1f' => Verdict::Keep,",
        )],
    ),
    broken(
        "text: DEL is text",
        &["text::printed_gopher"],
        &[(SANITISE, "'\\x7f' => Verdict::Picture('␡'),", "'\\x7f' => Verdict::Keep,")],
    ),
    broken(
        "text: C1 is text",
        &["text::printed_web", "text::screen_of_the_web"],
        &[(
            SANITISE,
            "'\\u{80}'..='\\u{9f}' => u8::try_from(c).map_or(Verdict::Drop, Verdict::Octet),",
            "'\\u{80}'..='\\u{9f}' => Verdict::Keep,",
        )],
    ),
    broken(
        "text: right to left is text",
        &["text::printed_news"],
        &[(SANITISE, "'\\u{202e}' => \"‹RLO›\",", "'\\u{1}' => \"‹RLO›\",")],
    ),
    broken(
        "text: separators are text",
        &["text::printed_ftp"],
        &[(SANITISE, "'\\u{2028}' | '\\u{2029}' | '\\u{2800}' => Verdict::Space,", "'\\u{2800}' => Verdict::Space,")],
    ),
    broken(
        "text: a truncated sequence eats what follows",
        &["text::printed_gopher"],
        &[(
            SANITISE,
            "            _ => {}\n        }\n    }\n    None\n}",
            "            _ => {}\n        }\n    }\n    Some(text.len())\n}",
        )],
    ),
    broken(
        "text: what stands between colours is only looked at piece by piece",
        &["it/colours_between_marks_do_not_make_letters_without_end"],
        &[("src/format/colours.rs", "let part = sanitise(part);", "let part = Cow::Borrowed(part);")],
    ),
    broken(
        "text: complaints are not made harmless",
        &["text::printed_news"],
        &[("src/shell/cli.rs", "sanitise(sentence).replace('\\n', \" \")", "sentence.replace('\\n', \" \")")],
    ),
    broken(
        "text: heads are not made harmless",
        &["text::printed_web"],
        &[("src/shell/heading.rs", "writeln!(out, \"{}\", sanitise(line))", "writeln!(out, \"{line}\")")],
    ),
    broken(
        "text: the source is raw for terminals",
        &["text::printed_ftp"],
        &[(
            "src/shell/dump/mod.rs",
            "Printing::Source { raw: !io::stdout().is_terminal() }",
            "Printing::Source { raw: true }",
        )],
    ),
    broken(
        "text: marks stand on a character without end",
        &["text::marks_on_a_letter"],
        &[("src/view/canvas.rs", "const CHARACTERS: usize = 31;", "const CHARACTERS: usize = 31 << 20;")],
    ),
    // 2: lines
    broken(
        "lines: line breaks are sent",
        &["lines::typed", "lines::linked"],
        &[("src/url/scheme/wire.rs", "matches!(b, b'\\r' | b'\\n' | 0)", "matches!(b, 0)")],
    ),
    broken(
        "lines: a carriage return is sent",
        &["lines::typed"],
        &[("src/url/scheme/wire.rs", "matches!(b, b'\\r' | b'\\n' | 0)", "matches!(b, b'\\n' | 0)")],
    ),
    broken(
        "lines: a NUL is sent",
        &["lines::typed"],
        &[("src/url/scheme/wire.rs", "matches!(b, b'\\r' | b'\\n' | 0)", "matches!(b, b'\\r' | b'\\n')")],
    ),
    broken(
        "lines: a word ends its quotation marks",
        &["lines::typed"],
        &[("src/url/scheme/dict.rs", "matches!(octet, b'\"' | b'\\\\')", "matches!(octet, b'\\\\')")],
    ),
    broken(
        "lines: a name of a dictionary is more than one word",
        &["lines::typed"],
        &[("src/url/scheme/dict.rs", "if plain { octets.to_vec() }", "if plain || true { octets.to_vec() }")],
    ),
    broken(
        "lines: an article's line break ends the line of a rule",
        &["it/what_an_article_says_is_no_expression_and_no_line"],
        &[("src/news/score/write.rs", "c if breaks(c) => out.push('.'),", "c if breaks(c) => out.push(c),")],
    ),
    broken(
        "lines: an article's words are expressions in a rule",
        &["it/what_an_article_says_is_no_expression_and_no_line"],
        &[("src/news/score/write.rs", "| '^' | '$' => out.extend(['\\\\', c]),", "| '^' | '$' => out.push(c),")],
    ),
    broken(
        "lines: a line of a rule is longer than slrn's",
        &["it/what_an_article_says_is_no_expression_and_no_line"],
        &[("src/news/score/write.rs", "if test.len() > LONGEST {", "if test.len() > LONGEST << 20 {")],
    ),
    broken(
        "doors: the key that asked says yes to a warning",
        &["it/the_key_that_asked_says_yes_to_no_warning"],
        &[(
            "src/app/hands/overlay.rs",
            "matches!(self, Pending::GoOn(_))",
            "matches!(self, Pending::GoOn(_) | Pending::Open(_))",
        )],
    ),
    broken(
        "signed: text beside what is signed counts as signed",
        &["it/what_is_signed_in_part_speaks_for_nothing"],
        &[(
            "src/format/message/signed.rs",
            "if !all[..begin].iter().all(blank) || !all[end + 1..].iter().all(blank) {",
            "if !all[..begin].iter().all(blank) && !all[end + 1..].iter().all(blank) {",
        )],
    ),
    broken(
        "signed: a file that was saved speaks for an article",
        &["it/what_is_signed_in_part_speaks_for_nothing"],
        &[(
            "src/app/internal/downloads.rs",
            "if sum.trim().is_empty() && transfer::article::is_here(cx.sight()) {",
            "if !sum.trim().is_empty() && transfer::article::is_here(cx.sight()) {",
        )],
    ),
    broken(
        "signed: what gpg says of one article is said of another",
        &["it/what_is_said_of_one_article_is_not_said_of_another"],
        &[("src/app/transfer/article.rs", "is_none_or(|page| page.id != text.page)", "is_none()")],
    ),
    broken(
        "doors: finger is passed on unasked",
        &["it/a_question_for_another_host_is_asked_about"],
        &[("src/url/scheme/one_line.rs", "send(url, question, doubt)", "send(url, question, doubt.filter(|_| false))")],
    ),
    broken(
        "doors: words for Spartan are sent again unasked",
        &["it/an_input_line_of_spartan_asks_and_sends"],
        &[(
            "src/app/forms/web/submission.rs",
            "return if answers { asks(opening) } else { opening };",
            "return if answers && false { asks(opening) } else { opening };",
        )],
    ),
    broken(
        "lines: redirects leave the web by themselves",
        &["lines::redirected", "doors::redirected"],
        &[(
            "src/app/page/redirect.rs",
            "        _ => scheme::family(from) == Family::Archive &&",
            "        (Family::Web, _) | (_, Family::Web) => true,\n        _ => scheme::family(from) == Family::Archive &&",
        )],
    ),
    // 3: doors
    broken(
        "doors: files open unasked",
        &["doors::shown", "doors::elsewhere"],
        &[(
            "src/app/navigation/mod.rs",
            "if scheme::is_here(&opening.url) && leads && steps {",
            "if scheme::is_here(&opening.url) && from.is_none() && steps {",
        )],
    ),
    broken(
        "doors: files open unasked along a list",
        &["it/a_file_that_a_list_of_the_network_names_is_asked_about_from_either_pane"],
        &[(
            "src/app/navigation/mod.rs",
            "let steps = matches!(opening.way, Way::New | Way::Instead) ||",
            "let steps = opening.way == Way::New ||",
        )],
    ),
    broken(
        "doors: an item is opened from the page before it",
        &["it/a_file_that_a_list_of_the_network_names_is_asked_about_from_either_pane"],
        &[(
            "src/app/navigation/mod.rs",
            "opening.item.and(opening.led.clone())).or_else(|| sight.tab.origin())",
            "None).or_else(|| sight.tab.origin())",
        )],
    ),
    broken(
        "doors: what a program said is the reader's own",
        &["doors::piped_on"],
        &[(
            "src/app/navigation/pipe.rs",
            "let opening = Opening { consent: Consent::Agreed, origin, ..Opening::followed(url) };",
            "let _ = origin;\n    let opening = Opening { consent: Consent::Agreed, ..Opening::followed(url) };",
        )],
    ),
    broken(
        "doors: what another program hands over is the reader's own",
        &["handed::doors"],
        &[("src/app/navigation/mod.rs", "|| is_handed(url),", "|| url.as_str() == \"about:\",")],
    ),
    broken(
        "doors: as much is read of another program as it says",
        &["handed::limits"],
        &[("src/shell/remote.rs", "const LONGEST: u64 = 64 << 10;", "const LONGEST: u64 = 64 << 20;")],
    ),
    broken(
        "doors: names in an article lead to another server",
        &["it/links_in_an_article_from_a_named_server_stay_on_that_server"],
        &[(
            "src/format/message/place.rs",
            "(family.is_news() && named).then(|| url.clone());",
            "(family.is_news() && named).then(|| url.clone()).filter(|_| false);",
        )],
    ),
    // 4: ports
    broken(
        "ports: one is missing in the list",
        &["ports::typed"],
        &[("src/url/scheme/server.rs", "22, 23, 25, 37,", "22, 23, 37,")],
    ),
    broken(
        "ports: none is refused",
        &["ports::followed"],
        &[(
            "src/url/scheme/server.rs",
            "if port != own && !explicit && BAD_PORTS.contains(&port) {",
            "if port == 0 && !explicit && BAD_PORTS.contains(&port) {",
        )],
    ),
    broken(
        "ports: reserved ones are not asked about",
        &["ports::followed"],
        &[(
            "src/url/scheme/server.rs",
            "(port != own && !explicit && port < 1024)",
            "(port != own && !explicit && port < 2)",
        )],
    ),
    broken(
        "ports: FTP's data come from anywhere",
        &["ports::data_elsewhere"],
        &[(
            "src/proto/ftp/open.rs",
            "stream.set_passive_nat_workaround(true);",
            "stream.set_passive_nat_workaround(false);",
        )],
    ),
    // 5: secrets
    broken(
        "secrets: addresses are shown whole",
        &["secrets::printed", "secrets::shown"],
        &[("src/url/locator.rs", "secret::hide(&self.text, secret::of_url(&self.text))", "self.text.to_string()")],
    ),
    broken(
        "secrets: a token in an address is a part of it",
        &["it/a_token_in_an_address_is_neither_shown_nor_kept", "it/passwords_are_hidden_and_nothing_else"],
        &[(
            "src/url/secret.rs",
            "    if is_titan { suspected_token(text) } else { None }",
            "    if is_titan && false { suspected_token(text) } else { None }",
        )],
    ),
    broken(
        "secrets: a token in an address stays in it",
        &["it/a_token_in_an_address_is_neither_shown_nor_kept"],
        &[("src/app/navigation/mod.rs", "    upload::veil(&mut opening);\n", "")],
    ),
    broken(
        "secrets: passwords of forms are kept with the tabs",
        &["it/a_form_that_was_not_sent_is_there_again_without_its_password"],
        &[(
            "src/app/page/answer.rs",
            "FieldKind::Line { kind, .. } => *kind != LineKind::Password,",
            "FieldKind::Line { .. } => true,",
        )],
    ),
    broken(
        "secrets: settings show the password of a proxy",
        &["it/a_password_of_a_proxy_is_shown_nowhere"],
        &[("src/app/internal/settings/page.rs", "    redact(&value.to_string())\n", "    value.to_string()\n")],
    ),
    broken(
        "secrets: what a URL says of its reader goes to a proxy",
        &["it/a_password_never_goes_to_a_proxy_unasked"],
        &[("src/proto/http/login.rs", "            None if self.proxy.is_some() => None,\n", "")],
    ),
    broken(
        "secrets: a mark keeps a password",
        &["it/nothing_that_is_secret_or_private_is_marked"],
        &[("src/app/marks.rs", "    session::address(&entry.url).filter(", "    Some(entry.url.clone()).filter(")],
    ),
    broken(
        "secrets: a private tab has marks",
        &["it/nothing_that_is_secret_or_private_is_marked"],
        &[("src/app/marks.rs", "    if app.tab.private {\n", "    if false {\n")],
    ),
    broken(
        "news: what an article of a thread says stands at the margin",
        &["it/no_article_forges_another_one"],
        &[("src/format/message/conversation.rs", "out.insert(body, 1,", "out.insert(body, 0,")],
    ),
    broken(
        "news: an article of a thread names places of the page",
        &["it/no_article_forges_another_one"],
        &[("src/format/message/conversation.rs", "body.forget_anchors();", "")],
    ),
    broken(
        "secrets: a copy of a private tab's page is kept",
        &["it/what_is_the_readers_alone_is_not_kept"],
        &[("src/proto/request.rs", "        !private\n", "        true\n")],
    ),
    broken(
        "secrets: a copy of an answer to a form is kept",
        &["it/what_is_the_readers_alone_is_not_kept"],
        &[("src/proto/request.rs", "            && body.is_none()\n", "")],
    ),
    broken(
        "secrets: an address is kept that led to a page by an answer that may not be",
        &["it/the_address_that_was_asked_for_goes_along_where_all_on_the_way_may_be_kept"],
        &[("src/app/navigation/redirect.rs", " && !moved.unkept", "")],
    ),
    broken(
        "secrets: a redirect is kept that a server forbids to keep",
        &["pty/a_page_that_was_reached_by_a_redirect_is_read_by_the_same_link_when_its_server_has_gone"],
        &[("src/proto/http/mod.rs", "self.knows || head::forbids_to_keep(answer.headers())", "self.knows")],
    ),
    broken(
        "secrets: where a forgotten address led is kept",
        &["it/who_forgets_where_it_began_or_where_it_ended_forgets_that_one_led_to_the_other"],
        &[("src/store/forgetting.rs", "    led::forget(&change, what, until)?;\n", "")],
    ),
    broken(
        "secrets: what a server forbids to keep is kept",
        &["it/what_a_server_forbids_to_keep_or_gave_to_one_reader_alone_is_not_for_keeping"],
        &[("src/proto/http/mod.rs", "self.knows || head::forbids_to_keep(headers)", "self.knows")],
    ),
    broken(
        "secrets: what a server gave to one reader alone is kept",
        &["it/what_a_server_forbids_to_keep_or_gave_to_one_reader_alone_is_not_for_keeping"],
        &[("src/proto/http/mod.rs", "self.knows || head::forbids_to_keep(headers)", "head::forbids_to_keep(headers)")],
    ),
    broken(
        "doors: any page asks for copies",
        &["it/a_failure_offers_the_copy_and_only_its_own_page_has_that_link"],
        &[("src/app/navigation/kept.rs", "(offered && Kept::of(url)", "(offered | true && Kept::of(url)")],
    ),
    broken(
        "secrets: words that are looked for are a query",
        &["it/words_are_found_in_pages_and_in_the_names_of_items"],
        &[("src/store/asked.rs", "(format!(\"\\\"{}\\\"\", text.trim()), false)", "(text.trim().to_owned(), false)")],
    ),
    broken(
        "doors: what is new leads into this machine",
        &["it/items_of_a_menu_are_new_by_where_they_lead", "it/entries_of_a_feed_are_new_by_their_ids"],
        &[("src/subscriptions/source.rs", "scheme::is_of_network(&url) && url.password()", "url.password()")],
    ),
    broken(
        "doors: files of this machine are subscribed to",
        &["it/only_what_is_of_the_network_is_subscribed_to"],
        &[(
            "src/subscriptions/mod.rs",
            "if !scheme::is_of_network(url) || scheme::is_handed_over(url) {",
            "if url.scheme().is_empty() {",
        )],
    ),
    broken(
        "doors: a page of somebody else's looks at what the reader is subscribed to",
        &["it/its_own_links_ask_nothing_and_those_of_others_do"],
        &[(
            "src/url/scheme/about_new.rs",
            "New::Check => Some(\"Look now at all that you are subscribed to?\".into()),",
            "New::Check => None,",
        )],
    ),
    broken(
        "doors: any page does what that of what is new does",
        &["it/its_own_links_ask_nothing_and_those_of_others_do"],
        &[(
            "src/app/navigation/subscriptions.rs",
            "    shown(cx.sight())?;\n    match New::of(url)? {",
            "    match New::of(url)? {",
        )],
    ),
    broken(
        "doors: the next new item is a file of this machine",
        &["it/what_is_new_is_read_by_one_key_and_marked_by_another"],
        &[(
            "src/app/page/redirect.rs",
            "Some(New::Next(_))) => scheme::is_of_network(to),",
            "Some(New::Next(_))) => true,",
        )],
    ),
    broken(
        "doors: unseen, a redirect leaves its space",
        &["pty/sources_of_seven_kinds_find_exactly_what_changed_over_a_restart"],
        &[("src/shell/unseen.rs", "space == there && matches!", "matches!")],
    ),
    broken(
        "doors: a run that prints asks those that the reader is subscribed to",
        &["pty/a_page_is_subscribed_to_by_one_key_and_nobody_is_asked_unseen"],
        &[
            ("src/shell/subscriptions/mod.rs", "if world.subscriptions.messages.is_none() {", "if false {"),
            ("src/shell/subscriptions/mod.rs", "offline: AtomicBool::new(true),", "offline: AtomicBool::new(false),"),
        ],
    ),
    broken(
        "secrets: a private tab subscribes",
        &["it/nothing_of_a_private_tab_and_nothing_of_this_machine_is_subscribed_to"],
        &[(
            "src/app/navigation/subscriptions.rs",
            "    if cx.tab.private {\n        cx.say(\"nothing of a private tab is kept\");",
            "    if false {\n        cx.say(\"nothing of a private tab is kept\");",
        )],
    ),
    broken(
        "text: titles of what is new are not made harmless",
        &["it/a_hostile_feed_costs_little"],
        &[(
            "src/subscriptions/source.rs",
            "let line = doc::line(&words.chars()",
            "let line = doc::flat(&words.chars()",
        )],
    ),
    broken(
        "limits: a feed of elements without end is read",
        &["it/a_hostile_feed_costs_little"],
        &[("src/format/feed.rs", "const ENTRIES: usize = 5_000;", "const ENTRIES: usize = 5_000_000;")],
    ),
    broken(
        "secrets: a private tab keeps news",
        &["kept/a_private_tab_keeps_no_news"],
        &[("src/shell/setup.rs", "            kept: Default::default(),\n", "")],
    ),
    broken(
        "tls: what was kept of clear text is shown as if it had come over TLS",
        &["it/what_is_kept_is_kept_by_server_login_and_channel"],
        &[(
            "src/proto/nntp/server.rs",
            "== Channel::Clear { \"\" } else { \"+tls\" }",
            "== Channel::Clear { \"\" } else { \"\" }",
        )],
    ),
    broken(
        "secrets: another name for a private tab is none",
        &["it/neither_where_a_private_tab_goes_nor_a_password_is_kept_by_another_name"],
        &[(
            "src/app/answers/prompts.rs",
            "        name != \"private\" && tells_nothing(app, rest.trim())\n    };",
            "        tells_nothing(app, rest.trim())\n    };",
        )],
    ),
    broken(
        "keys: a command may run itself",
        &["it/commands_of_ones_own_are_read_and_those_that_run_themselves_are_refused"],
        &[(
            "src/keys/own.rs",
            "    if way.first() == Some(&name) {",
            "    if way.first() == Some(&name) && way.len() > 9 {",
        )],
    ),
    broken(
        "secrets: commands are logged whole",
        &["it/a_password_of_two_letters_is_in_no_command"],
        &[("src/proto/ftp/log.rs", "log.command(veiled.into());", "log.command(line.into());")],
    ),
    broken(
        "secrets: an echo in a welcome is shown",
        &["secrets::printed"],
        &[("src/doc/conceal.rs", "    if sought.is_empty() {\n", "    if sought.is_empty() || !sought.is_empty() {\n")],
    ),
    broken(
        "secrets: an echo is looked for before it is made harmless",
        &["secrets::printed"],
        &[(
            "src/doc/conceal.rs",
            "for letters in [letters(text, false), letters(text, true)] {",
            "for letters in [text.bytes().enumerate().map(|(at, octet)| (octet, at..at + 1)).collect::<Vec<Read>>()] {",
        )],
    ),
    broken(
        "secrets: the name of a place is no place for a secret",
        &["secrets::shown", "it/a_password_that_a_server_says_again_in_the_name_of_a_place_stays_hidden"],
        &[(
            "src/app/page/veil.rs",
            "        found.retain(|place| !is_own(place));\n",
            "        found.retain(|place| !is_own(place) && place.start >= site);\n",
        )],
    ),
    broken(
        "secrets: a link that says a secret again is opened as it is",
        &["it/a_secret_in_a_link_is_kept_nowhere_however_it_is_opened"],
        &[("src/app/navigation/mod.rs", "    veil(cx.sight(), &mut opening);\n", "")],
    ),
    broken(
        "cookies: what nobody watches takes some",
        &["it/where_nobody_watches_cookies_are_given_and_none_is_taken_or_asked_about"],
        &[(
            "src/proto/http/mod.rs",
            "        if !self.request.unwatched {\n",
            "        if self.request.url.host().is_some() {\n",
        )],
    ),
    broken(
        "subscriptions: whoever leads to a page is told what that gave",
        &["pty/what_tells_whether_a_page_has_changed_goes_to_nobody_but_who_gave_it"],
        &[("src/shell/unseen.rs", "(by(url) == self.by).then(", "(!by(url).is_empty()).then(")],
    ),
    broken(
        "secrets: another tab knows nothing of them",
        &["it/a_secret_in_a_link_is_kept_nowhere_however_it_is_opened"],
        &[("src/app/tabs/mod.rs", "    tab.veil.join(&app.tab.veil);\n", "")],
    ),
    broken(
        "secrets: the password of an address is hidden in that alone",
        &["it/a_password_of_an_address_or_a_login_is_hidden_in_the_links_of_its_pages"],
        &[("src/app/navigation/mod.rs", "    opening.veil.add_login_of(&url);\n", "")],
    ),
    broken(
        "secrets: escaped they are shown",
        &["it/an_answer_that_is_said_again_in_its_escaped_form_stays_hidden"],
        &[("src/doc/conceal.rs", "let escapes = text.contains(['%', '+']);", "let escapes = false;")],
    ),
    broken(
        "secrets: the line of a link shows them",
        &["it/the_line_and_the_anatomy_of_a_link_show_no_secret"],
        &[("src/app/state/link.rs", "self.veil().url(url).as_ref().unwrap_or(url).redacted()", "url.redacted()")],
    ),
    broken(
        "secrets: titles are kept with them",
        &["it/a_title_that_repeats_a_secret_is_kept_nowhere_whatever_page_it_is_of"],
        &[("src/app/page/entry.rs", "self.veil.over(title)", "title")],
    ),
    broken(
        "secrets: a download that is led on tells them",
        &["it/a_download_that_is_led_on_tells_nothing_that_was_told_in_secret"],
        &[("src/app/transfer/redirect.rs", "veil.url(&to).unwrap_or_else(|| to.clone()).redacted()", "to.redacted()")],
    ),
    broken(
        "secrets: printed links tell them",
        &["it/a_password_that_a_page_repeats_is_hidden_in_its_links_as_on_the_screen"],
        &[("src/shell/links.rs", "written(&veil.url(&url).unwrap_or(url))", "written(&url)")],
    ),
    broken(
        "secrets: what a program would be told stands on the page",
        &["it/a_program_sees_the_password_only_where_its_row_says_so_and_the_reader_does_not"],
        &[(
            "src/app/navigation/programs.rs",
            "    Some(target.shown(program))\n",
            "    target.arguments(program, |url| url.as_str().to_owned()).map(|words| words.join(\" \"))\n",
        )],
    ),
    broken(
        "secrets: servers are told who led to them",
        &["secrets::printed"],
        &[(
            "src/proto/http/client.rs",
            "            .referer(false)\n",
            "            .default_headers([(reqwest::header::REFERER, reqwest::header::HeaderValue::from_static(\"http://h/\"))].into_iter().collect())\n",
        )],
    ),
    broken(
        "secrets: a check of links sends cookies",
        &["it/the_readers_cookies_stay_at_home_unless_asked_for"],
        &[("src/shell/check/asker.rs", "(!self.manner.cookies, led.cloned())", "(false, led.cloned())")],
    ),
    broken(
        "secrets: a check of links takes a page's words for the reader's",
        &["it/a_service_that_is_no_web_server_is_no_ok_and_is_dialled_once"],
        &[("src/shell/check/asker.rs", "led.cloned());", "led.cloned().filter(|_| false));")],
    ),
    broken(
        "secrets: a cookie in clear text stands in for a secure one",
        &["it/no_cookie_in_clear_text_stands_in_for_a_secure_one"],
        &[(
            "src/proto/http/site.rs",
            "    (within(a, b) || within(b, a)) && below\n",
            "    (within(a, b) || within(b, a)) && below && false\n",
        )],
    ),
    // 6: programs
    broken(
        "programs: they run unasked",
        &["programs::addresses"],
        &[(
            "src/app/navigation/programs.rs",
            "cx.hands.queue(confirm(text, \"run it\", Pending::Run(arguments)));",
            "use crate::app::state::jobs::Errand as Why;\n            let _: Vec<String> = text;\n            return vec![Effect::Run { id: cx.job(Why::Program), arguments }];",
        )],
    ),
    broken(
        "programs: a shell reads the arguments",
        &["programs::addresses"],
        &[(
            "src/shell/browse/lending.rs",
            "Command::new(program).args(rest.iter().map(|word| on_the_disk(word))).spawn()",
            "Command::new(\"sh\").arg(\"-c\").arg([&[program.clone()], rest].concat().join(\" \")).spawn()",
        )],
    ),
    broken(
        "programs: options are arguments",
        &["programs::addresses"],
        &[
            (
                "src/app/navigation/programs.rs",
                "Some(self.marks(url_as)).filter(|marks| !marks.iter().any(|(_, value)| value.starts_with('-')))?;",
                "self.marks(url_as);",
            ),
            ("src/url/scheme/wire.rs", "        Some(b'-') => Err(", "        Some(0) => Err("),
        ],
    ),
    broken(
        "programs: ssh is started by whatever page leads to it",
        &["it/a_page_has_ssh_log_in_somewhere_only_by_consent"],
        &[(
            "src/app/navigation/mod.rs",
            "    if scheme::family(url) != Family::Sftp {\n",
            "    if scheme::family(url) == Family::Sftp {\n",
        )],
    ),
    broken(
        "lines: what spartan sends has lines",
        &["it/nothing_that_spartan_sends_has_lines"],
        &[(
            "src/url/scheme/spartan.rs",
            "    let data = wire::decode(\"query\", url.query().unwrap_or_default())?;",
            "    let data = crate::url::escape::decode(url.query().unwrap_or_default());",
        )],
    ),
    broken(
        "text: a server writes pages of the program's own",
        &["it/nobody_but_the_program_writes_its_own_pages"],
        &[("src/proto/exchange.rs", "if head.media == media::OWN &&", "if head.media != media::OWN &&")],
    ),
    broken(
        "programs: ssh is let ask for passwords",
        &["it/one_run_of_ssh_serves_visit_after_visit_and_asks_nothing"],
        &[("src/proto/sftp/ssh.rs", "    \"BatchMode=yes\",\n", "    \"BatchMode=no\",\n")],
    ),
    broken(
        "programs: --safe runs them",
        &["programs::safe"],
        &[
            (
                "src/shell/browse/lending.rs",
                "arguments.split_first().filter(|_| !self.safe)",
                "arguments.split_first()",
            ),
            ("src/app/navigation/programs.rs", "Some(_) if cx.desk.choices.safe =>", "Some(_) if false =>"),
        ],
    ),
    // 7: limits
    broken(
        "limits: pages have none",
        &["limits::printed_others"],
        &[(
            "src/proto/relay.rs",
            "limit: if is_page(media) { limits.page } else { u64::MAX }",
            "limit: if is_page(media) { limits.page << 6 } else { u64::MAX }",
        )],
    ),
    broken(
        "limits: silence has none",
        &["limits::printed_others"],
        &[(
            "src/proto/net.rs",
            "match timeout(silence, stream.read(buffer)).await {",
            "match timeout(silence * 600, stream.read(buffer)).await {",
        )],
    ),
    broken(
        "limits: one site may fill the cookie jar",
        &["it/an_answer_with_thousands_of_cookies_shuts_the_jar_for_nobody"],
        &[("src/proto/http/crowd.rs", "const SHARE: usize = 200;", "const SHARE: usize = 200_000;")],
    ),
    broken(
        "limits: one server may hold up all others",
        &["pty/endless_interim_answers_hold_up_no_other_server"],
        &[
            ("src/shell/network.rs", "const SERVED_AT_ONCE: usize = 4;", "const SERVED_AT_ONCE: usize = 1;"),
            ("src/proto/http/client.rs", "const HEADERS: usize = 512;", "const HEADERS: usize = 8192;"),
        ],
    ),
    broken(
        "limits: redirects have none",
        &["limits::printed_web"],
        &[
            (
                "src/shell/dump/mod.rs",
                "for hops in 0..=redirect::MOST {",
                "for hops in 0..=u64::from(redirect::MOST) << 40 {",
            ),
            (
                "src/shell/dump/mod.rs",
                "hops == redirect::most(&moved.from) =>",
                "hops == u64::from(redirect::most(&moved.from)) << 40 =>",
            ),
        ],
    ),
    broken(
        "limits: elements nest without end",
        &["limits::printed_web"],
        &[("src/format/html/guard.rs", "const DEEPEST: usize = 512;", "const DEEPEST: usize = 1 << 40;")],
    ),
    broken(
        "limits: memory is not looked at",
        &["memory/a_page_holds_no_more_memory_than_it_may"],
        &[(
            "src/format/reader.rs",
            "self.over = self.parser.memory() + document > self.intake.memory;",
            "self.over = self.parser.memory() + document > usize::MAX - 1;",
        )],
    ),
    broken(
        "limits: what parsers hold is not counted",
        &["memory/a_page_holds_no_more_memory_than_it_may"],
        &[("src/format/reader.rs", "self.over = self.parser.memory() + document >", "self.over = document >")],
    ),
    broken(
        "limits: what is written at the end has none",
        &["it/what_is_written_at_the_end_has_a_bound_too"],
        &[("src/format/message/page.rs", "&mut inner, out.room() / 2)", "&mut inner, usize::MAX)")],
    ),
    broken(
        "limits: an xz file begins anew without end",
        &["it/an_xz_file_of_streams_without_end_is_given_up"],
        &[("src/unpack/xz.rs", "const STREAMS: u64 = 2000;", "const STREAMS: u64 = 2_000_000;")],
    ),
    // 8: TLS
    broken(
        "tls: any certificate will do on the web",
        &["tls::certificates"],
        &[(
            "src/proto/exceptions.rs",
            "            Err(error)\n        })",
            "            let _ = error;\n            Ok(())\n        })",
        )],
    ),
    broken(
        "tls: a stolen certificate will do",
        &["tls::certificates"],
        &[(
            "src/proto/verifier.rs",
            "        self.authorities.verify_tls13_signature(message, cert, dss)\n",
            "        let _ = (message, cert, dss);\n        Ok(HandshakeSignatureValid::assertion())\n",
        )],
    ),
    broken(
        "tls: a changed key will do",
        &["tls::changed"],
        &[
            (
                "src/proto/tls.rs",
                "Ok(Some(pin)) => Err(self.changed(endpoint, who, pin, shown)),",
                "Ok(Some(pin)) => Err(self.changed(endpoint, who, pin, shown)).or(Ok(Trust::Pinned)),",
            ),
            (
                "src/proto/tls.rs",
                "Pin::Known(fingerprint) => *fingerprint == shown.fingerprint,",
                "Pin::Known(fingerprint) => !fingerprint.is_empty(),",
            ),
        ],
    ),
    broken(
        "gemini: a changed key is shown the reader's certificate",
        &["it/who_shows_another_key_than_before_is_shown_no_certificate"],
        &[(
            "src/proto/tls.rs",
            "Pin::Known(fingerprint) => *fingerprint == shown.fingerprint,",
            "Pin::Known(fingerprint) => !fingerprint.is_empty(),",
        )],
    ),
    broken(
        "tls: STARTTLS that is refused will do",
        &["tls::stripped"],
        &[(
            "src/proto/nntp/session.rs",
            "        session.ask_for_tls().await?;\n        session = session.secured(&name, exchange, context).await?;\n",
            "        if session.ask_for_tls().await.is_ok() {\n            session = session.secured(&name, exchange, context).await?;\n        }\n",
        )],
    ),
    broken(
        "tls: lines behind the promise of STARTTLS are taken",
        &["tls::injected"],
        &[
            (
                "src/proto/nntp/stream.rs",
                "        if !self.input.is_empty() {\n",
                "        if self.input.len() > 1 << 30 {\n",
            ),
            (
                "src/proto/nntp/stream.rs",
                "Ok((Stream { io: Io::Tls(Box::new(stream)), silence, input: Vec::new(), deflated: None }, security))",
                "Ok((Stream { io: Io::Tls(Box::new(stream)), silence, input: self.input, deflated: None }, security))",
            ),
        ],
    ),
    broken(
        "tls: a damaged pin is a first visit",
        &["it/a_server_whose_line_is_damaged_is_not_met_for_the_first_time"],
        &[("src/proto/pins.rs", "if names(line, who) {", "if line.is_empty() && names(line, who) {")],
    ),
    broken(
        "tls: a pin behind a line whose end is lost is none",
        &["it/a_pin_whose_line_has_lost_its_beginning_is_no_first_visit"],
        &[("src/proto/pins.rs", "if holds_a_pin(&behind, who) {", "if line.is_empty() && holds_a_pin(&behind, who) {")],
    ),
    broken(
        "tls: beside a line whose host cannot be read any visit is a first one",
        &["it/beside_a_line_whose_host_cannot_be_read_no_visit_is_the_first"],
        &[("src/proto/pins.rs", "} else if !names_one(line) {", "} else if line.is_empty() {")],
    ),
    broken(
        "tls: what certificates say is kept as they say it",
        &["tls::described"],
        &[(
            "src/proto/certificate.rs",
            "line.chars().map(visible).take(DESCRIBED)",
            "line.chars().filter(|c| *c != '\\n').take(DESCRIBED)",
        )],
    ),
    broken(
        "tls: gophers begins in clear text",
        &["tls::clear"],
        &[(
            "src/proto/net.rs",
            "    exchange.stage(Stage::Securing).await?;\n    let late",
            "    if name == \"127.0.0.1\" {\n        return Ok(Wire { stream: Box::new(tcp), silence, torn: false, peer, security: None });\n    }\n    exchange.stage(Stage::Securing).await?;\n    let late",
        )],
    ),
    broken(
        "gemini: a certificate is shown to every server",
        &["it/a_certificate_goes_where_it_was_chosen_for_and_nowhere_else"],
        &[("src/proto/identities.rs", "shown.server == server && lies_below", "lies_below")],
    ),
    broken(
        "gemini: a certificate is shown to all of a server",
        &["it/a_certificate_goes_where_it_was_chosen_for_and_nowhere_else"],
        &[("src/proto/identities.rs", " && lies_below(url, &shown.path)", " && url.host().is_some()")],
    ),
    broken(
        "gemini: steps up lead out of a certificate's part",
        &["it/a_certificate_goes_where_it_was_chosen_for_and_nowhere_else"],
        &[("src/proto/identities.rs", "    !hides && rest", "    rest")],
    ),
    broken(
        "doors: a redirect opens a mailbox of this machine",
        &["it/a_redirect_to_anything_of_this_machine_is_refused"],
        &[("src/app/navigation/redirect.rs", "scheme::is_here(url) &&", "scheme::place(url).is(\"file\") &&")],
    ),
    broken(
        "doors: a redirect starts ssh without the question of a link",
        &["it/a_redirect_asks_whatever_a_link_there_would_ask"],
        &[(
            "src/app/navigation/redirect.rs",
            "navigation::warned(cx.sight(), &onward) {",
            "navigation::warned(cx.sight(), &onward).filter(String::is_empty) {",
        )],
    ),
    broken(
        "gemini: a server makes certificates by a redirect",
        &["it/redirects_stay_in_gemini_space_or_ask"],
        &[("src/app/navigation/redirect.rs", "url if acts(url) =>", "url if acts(url) && url.is(\"x\") =>")],
    ),
    broken(
        "gemini: a page shows certificates unasked",
        &["it/no_page_makes_or_shows_a_certificate_unasked"],
        &[("src/url/scheme/about.rs", "return Ok(asked?.question());", "return asked.map(|_| None);")],
    ),
    broken(
        "gemini: what is answered in secret is shown and kept",
        &["it/what_is_answered_in_secret_is_neither_shown_nor_kept"],
        &[("src/app/navigation/words.rs", "        Some(starred)\n", "        drop(starred);\n        None\n")],
    ),
    broken(
        "gemini: what is sent in secret is written down",
        &["it/what_is_said_in_secret_is_told_with_stars"],
        &[("src/proto/gemini/mod.rs", "ledger.wrote(on_the_wire(&told));", "ledger.wrote(on_the_wire(&bytes));")],
    ),
    broken(
        "spartan: a page of somebody else sends words of its choice",
        &["it/words_that_nobody_typed_are_sent_to_spartan_only_by_consent"],
        &[(
            "src/app/navigation/mod.rs",
            "let says = says_words(from, opening);",
            "let says = says_words(from, opening).filter(|_| false);",
        )],
    ),
    broken(
        "guppy: whatever comes too early is kept",
        &["it/what_comes_early_or_twice_stands_once_and_in_order"],
        &[("src/proto/guppy/packet.rs", "const AHEAD: u32 = 64;", "const AHEAD: u32 = u32::MAX;")],
    ),
    // beneath all of them
    broken(
        "sandbox: what reads from servers is not in it",
        &["pty/what_reads_from_servers_is_in_the_sandbox_and_what_the_reader_starts_is_not"],
        &[(
            "src/shell/network.rs",
            "on_thread_start(move || confined.confine())",
            "on_thread_start(move || drop(confined.clone()))",
        )],
    ),
    // 9: files
    broken(
        "files: a tree's names are taken as they are",
        &["files::tree"],
        &[
            (
                "src/app/transfer/recursive/entries.rs",
                "!octets.iter().any(|octet| matches!(octet, b'/' | 0 | b'\\r' | b'\\n')) && !matches!(octets, b\".\" | b\"..\")",
                "octets.len() < usize::MAX",
            ),
            (
                "src/app/transfer/recursive/entries.rs",
                "let name = Naming::of(self.saved_names, found.charset).kept(&found.name);",
                "let name = found.shown.to_string();",
            ),
            (
                // Whoever makes the files looks once more.
                "src/shell/place.rs",
                "        let Component::Normal(name) = component else {\n            return Err(Transfer::Failed(format!(\"{} is no name below a folder.\", path.display())));\n        };\n        at.push(name);\n",
                "        at.push(component.as_os_str());\n",
            ),
        ],
    ),
    broken(
        "files: a signal waits for what is done",
        &["pty/after_signals_while_the_terminal_takes_nothing"],
        &[(
            "src/shell/watchdog.rs",
            "                    watched.end_soon(&writer);",
            "                    let _ = (&watched, &writer);",
        )],
    ),
    broken(
        "files: names lead elsewhere",
        &["files::named"],
        &[("src/app/transfer/name.rs", "let name = name.rsplit(['/', '\\\\']).next().unwrap_or_default();", "")],
    ),
    broken(
        "files: a server's file has the name of an unfinished one",
        &["it/names_are_one_harmless_component"],
        &[(
            "src/app/transfer/name.rs",
            "    if is_unfinished(&name) {",
            "    if is_unfinished(&name) && name.is_empty() {",
        )],
    ),
    broken(
        "files: names hide",
        &["files::named"],
        &[(
            "src/app/transfer/name.rs",
            "name.trim_start_matches(['.', '-', ' ', '~'])",
            "name.trim_start_matches([' '])",
        )],
    ),
    broken(
        "files: a link of a tree leads out of its folder",
        &["it/links_are_followed_kept_or_left"],
        &[(
            "src/app/transfer/recursive/links.rs",
            "b\"..\" if down || up == depth => return None,",
            "b\"..\" if down && up > depth => return None,",
        )],
    ),
    broken(
        "files: a tree hides something in the reader's home",
        &["it/nothing_goes_hidden_into_the_home_folder"],
        &[(
            "src/app/transfer/recursive/entries.rs",
            "let in_home = is_home(sight, &folder);",
            "let in_home = is_home(sight, &folder) && false;",
        )],
    ),
    broken(
        "files: marked rows are fetched wherever they lead",
        &["it/of_a_menu_only_what_could_be_followed_unasked_is_saved"],
        &[("src/app/transfer/recursive/marked.rs", "if !is_of(&root, &url, listing) {", "if false {")],
    ),
    broken(
        "files: what is there is written over",
        &["files::named"],
        &[
            (
                "src/shell/save/mod.rs",
                "    if replace {\n        return rename",
                "    if replace || !replace {\n        return rename",
            ),
            (
                "src/shell/place.rs",
                "        Existing::Ask | Existing::Compare => Err(Transfer::Exists(shown)),",
                "        Existing::Ask | Existing::Compare => Ok(drop(shown)),",
            ),
        ],
    ),
    // what goes out under the reader's name
    broken(
        "posting: an article's subject may have line breaks in a draft",
        &["it/nothing_in_an_article_makes_a_line_of_the_header", "it/no_value_makes_a_line_of_the_header"],
        &[(
            "src/news/compose.rs",
            "c != '\\t' && (c.is_control() || matches!(c, '\\u{2028}' | '\\u{2029}'))",
            "c != '\\t' && matches!(c, '\\u{2028}' | '\\u{2029}')",
        )],
    ),
    broken(
        "posting: a draft's value goes out with its control characters",
        &["it/no_value_makes_a_line_of_the_header"],
        &[("src/news/outgoing.rs", "map(|c| if c.is_control() { ' ' } else { c })", "map(|c| c)")],
    ),
    broken(
        "posting: a name's comma makes two people of one",
        &["it/a_name_with_a_comma_is_one_person", "it/before_a_mail_goes_it_is_said_to_whom"],
        &[(
            "src/news/mailbox.rs",
            "write!(f, \"\\\"{}\\\" <{}>\", escaped(name), self.address)",
            "write!(f, \"{name} <{}>\", self.address)",
        )],
    ),
    broken(
        "posting: a Reply-To is followed as far as it can be read",
        &["it/a_hostile_reply_to_names_nobody_else"],
        &[(
            "src/format/message/address.rs",
            "Mailbox::list(text).into_iter().map(|one| whole(one).map(named)).collect()",
            "Some(Mailbox::list(text).into_iter().filter_map(|one| whole(one).map(named)).collect())",
        )],
    ),
    broken(
        "posting: a link's escaped comma makes two people of one",
        &["it/a_mail_link_names_whom_it_is_read_to_name"],
        &[(
            "src/app/letters/link.rs",
            "let alone = if found.len() == 1 { found.pop() } else { None };",
            "let alone = found.pop();",
        )],
    ),
    broken(
        "posting: every article has a key that cancels it",
        &["it/articles_are_locked_and_only_a_cancel_has_a_key"],
        &[(
            "src/proto/nntp/lock.rs",
            "control.or_else(|| value(article, b\"supersedes\"))",
            "control.or_else(|| value(article, b\"message-id\"))",
        )],
    ),
    broken(
        "posting: what others wrote is cancelled",
        &["it/what_others_wrote_is_neither_cancelled_nor_replaced"],
        &[(
            "src/app/letters/begin.rs",
            "!own.is_empty() && own.eq_ignore_ascii_case(author)",
            "!own.is_empty() && !author.is_empty()",
        )],
    ),
    broken(
        "posting: what is sent again has no id in its file",
        &["it/an_article_that_may_have_been_taken_goes_again_with_the_same_id"],
        &[("src/app/letters/mod.rs", "letter.unkept = Some(", "let _ = Some(")],
    ),
    broken(
        "mailboxes: a server says which file an article is",
        &["it/a_server_never_says_that_an_article_is_a_file"],
        &[("src/format/newsgroup/place.rs", "self.local && said.starts_with", "said.starts_with")],
    ),
    broken(
        "files: what another program put in the place of a part gets the name",
        &["lib/what_another_program_puts_in_the_place_of_a_part_is_not_named"],
        &[("src/shell/save/mod.rs", "if !partial.is_whole(&file) {", "if false {")],
    ),
    broken(
        "files: what is kept is read whatever its length",
        &["lib/a_file_that_is_far_too_long_is_not_read"],
        &[
            ("src/disk/mod.rs", "if file.metadata()?.len() > most {", "if false {"),
            ("src/disk/mod.rs", "file.take(most + 1)", "file.take(u64::MAX)"),
            ("src/disk/mod.rs", "if octets.len() as u64 > most {", "if false {"),
        ],
    ),
    broken(
        "files: a start waits where too many wait for a copy already",
        &["lib/where_too_many_wait_already_nobody_waits"],
        &[("src/shell/remote.rs", "rustix::io::ioctl_fionbio(&socket, true)?;", "")],
    ),
    broken(
        "signals: an interrupt before the browser waits is lost",
        &["pty/an_interrupt_before_the_program_has_begun_to_wait_ends_it"],
        &[("src/shell/watchdog.rs", " && self.0.listens.load(SeqCst);", ";")],
    ),
    broken(
        "files: what is kept holds what a terminal would obey",
        &["it/what_a_terminal_would_obey_stands_in_the_file_by_its_number"],
        &[("src/bookmarks/entry.rs", "    if !text.contains(is_odd) {", "    if true {")],
    ),
    broken(
        "files: what has no content stays behind",
        &["pty/of_a_link_that_leads_to_a_folder_nothing_is_left"],
        &[(
            "src/shell/save/mod.rs",
            "let _ = on_disk(&threads, move || {\n            drop(self);",
            "drop(self);\n        let _ = on_disk(&threads, move || {",
        )],
    ),
    // archives
    broken(
        "archives: a name may go up",
        &["it/names_that_lead_out_are_left_out_and_told"],
        &[("src/archive/name.rs", "        if step == b\"..\" {\n            return None;\n        }\n", "")],
    ),
    broken(
        "archives: a name may be absolute",
        &["it/names_that_lead_out_are_left_out_and_told"],
        &[("src/archive/name.rs", "raw.starts_with(b\"/\") || drive", "drive")],
    ),
    broken(
        "archives: nothing is too much",
        &["it/bombs_are_broken_off"],
        &[("src/archive/unpacking.rs", "if too_much {", "if too_much && self.given == 0 {")],
    ),
    broken(
        "archives: members may share octets",
        &["it/bombs_are_broken_off"],
        &[("src/archive/zip.rs", "    if packed.overlaps {", "    if packed.overlaps && packed.locked {")],
    ),
    broken(
        "archives: names have no bound",
        &["it/names_without_end_are_bounded"],
        &[("src/archive/members.rs", "self.names >= MOST_NAMES", "self.names >= MOST_NAMES << 20")],
    ),
    broken(
        "archives: members have no bound",
        &["it/a_million_members_are_bounded"],
        &[("src/archive/members.rs", "self.left >= MOST_MEMBERS", "self.left >= MOST_MEMBERS << 20")],
    ),
    broken(
        "archives: what is left out counts for nothing",
        &["it/members_that_are_left_out_count_as_well"],
        &[("src/archive/members.rs", "self.all.len() + self.left >= MOST_MEMBERS", "self.all.len() >= MOST_MEMBERS")],
    ),
    broken(
        "archives: what was kept of the web may be said to be of this machine",
        &["it/a_record_gives_no_base_on_this_machine"],
        &[("src/proto/space.rs", "    if !foreign || !url.has_hierarchy() {", "    if !url.has_hierarchy() {")],
    ),
    broken(
        "archives: a redirect that was kept is followed out of its file",
        &["it/what_was_kept_of_the_web_is_linked_within_its_file"],
        &[("src/proto/space.rs", "|| Onward::Elsewhere(page())", "|| Onward::Here(to.clone())")],
    ),
    broken(
        "archives: a record is as long as it says",
        &["it/a_record_of_nothing_but_zeros_is_not_unpacked_without_end"],
        &[("src/archive/warc.rs", ".filter(|end| *end <= most)", ".filter(|end| *end <= most << 16)")],
    ),
    broken(
        "archives: the path of an entry may go up",
        &["it/a_zim_that_lies_costs_a_sentence"],
        &[("src/archive/zim.rs", "        if !is_path(path) {", "        if !is_path(path) && path.is_empty() {")],
    ),
    broken(
        "archives: one is in another without end",
        &["it/archives_within_archives_open_to_a_depth"],
        &[("src/url/scheme/archive.rs", "if depth > DEEPEST {", "if depth > DEEPEST << 8 {")],
    ),
    broken(
        "archives: links lead to links without end",
        &["it/links_have_an_end"],
        &[("src/archive/mod.rs", "if links > MOST_LINKS {", "if links > MOST_LINKS << 8 {")],
    ),
    broken(
        "archives: a folder of a disc is walked again and again",
        &["it/discs_and_packages_are_directories"],
        &[("src/archive/cd.rs", "walked && seen.insert(from)", "walked && (seen.insert(from) || true)")],
    ),
    broken(
        "archives: folders of a disc may share octets",
        &["it/folders_of_a_disc_that_share_octets_are_read_once"],
        &[("src/archive/cd.rs", "(octets.len() as u64).min(self.left)", "(octets.len() as u64).min(self.left) / 512")],
    ),
    broken(
        "archives: names of a disc are as long as they like",
        &["it/names_of_a_disc_that_grow_from_folder_to_folder_are_bounded"],
        &[("src/archive/cd.rs", "if name.len() > NAME || path.len() > PATH {", "if name.len() > NAME << 20 {")],
    ),
    broken(
        "archives: each member is unpacked from the beginning",
        &["it/members_of_a_compressed_tar_in_their_order_cost_one_pass"],
        &[("src/archive/onward.rs", "        all.push(way);\n", "        drop(way);\n")],
    ),
    broken(
        "archives: holes are as large as they like",
        &["it/maps_that_lie_and_holes_of_bombs_are_refused"],
        &[(
            "src/archive/sparse.rs",
            "() if holes > MOST || size > FREE && size / RATIO > kept",
            "() if holes > MOST << 30",
        )],
    ),
    broken(
        "netrc: a line is for every host",
        &["it/a_login_is_for_its_own_host_port_and_user"],
        &[(
            "src/proto/netrc.rs",
            "self.host.as_ref().is_some_and(known)",
            "self.host.as_ref().is_some_and(|n| known(n) || true)",
        )],
    ),
    broken(
        "netrc: others may read the file",
        &["it/a_file_that_others_may_read_or_that_is_none_is_not_used"],
        &[("src/proto/netrc.rs", "facts.mode() & 0o077 != 0", "facts.mode() & 0o007 != 0")],
    ),
    broken(
        "netrc: the web is told in clear text",
        &["it/a_server_of_the_web_is_told_over_tls_alone_and_when_it_asks"],
        &[("src/proto/http/login.rs", "&& self.url.is(\"https\") && self.proxy", "&& self.proxy")],
    ),
    broken(
        "netrc: a server that took a proof is sent the password",
        &["it/a_server_that_turns_from_a_proof_to_the_password_is_not_told_the_kept_one"],
        &[("src/proto/http/login.rs", "if self.asks_for_more && self.is_kept() {", "if self.old && self.is_kept() {")],
    ),
    broken(
        "netrc: private tabs use it",
        &["it/a_private_tab_is_told_nothing_of_the_file"],
        &[(
            "src/proto/netrc.rs",
            " && request.url.password().is_none() && !request.private;",
            " && request.url.password().is_none();",
        )],
    ),
    broken(
        "secrets: a check says where it was led",
        &["it/a_password_that_a_redirect_says_again_is_hidden_in_what_is_told_of_a_check"],
        &[(
            "src/app/transfer/verify/mod.rs",
            "&moved, check.hops, &check.veil",
            "&moved, check.hops, &Veil::default()",
        )],
    ),
    broken(
        "sums: one signature is good by another's key",
        &["it/what_is_said_of_one_signature_is_not_put_to_another"],
        &[(
            "src/app/transfer/verify/signed.rs",
            "if word == \"NEWSIG\" || verdict &&",
            "if word.is_empty() && verdict &&",
        )],
    ),
    broken(
        "verify: signatures in a saved directory are looked at without a yes",
        &["it/signatures_of_the_lists_in_a_directory_are_looked_at_if_the_reader_wants_that"],
        &[("src/app/transfer/verify/tree.rs", "    if yes {", "    if yes || !lists.left.is_empty() {")],
    ),
    broken(
        "sums: an entry of another folder counts",
        &["it/no_entry_of_another_file_is_taken"],
        &[("src/sums/list.rs", "if own { said.rsplit", "if own || said.contains(&b'/') { said.rsplit")],
    ),
    broken(
        "sums: what stands elsewhere is beside it",
        &["it/another_folder_or_host_has_nothing_beside_it"],
        &[(
            "src/app/transfer/beside.rs",
            "folder(other) == place",
            "folder(other) == place || place.0.is_empty() || true",
        )],
    ),
    broken(
        "archives: one of this machine is nobody's matter",
        &["it/a_page_of_the_network_that_leads_into_an_archive_of_this_machine_is_asked_about"],
        &[(
            "src/app/navigation/mod.rs",
            "if scheme::is_here(&opening.url) && leads",
            "if opening.url.is(\"file\") && leads",
        )],
    ),
    broken(
        "put: what came there since is replaced",
        &["it/nothing_is_written_over_that_was_not_told_of"],
        &[("src/proto/ftp/put.rs", "if file.put.agreed != Some(there) ||", "if file.put.agreed.is_none() ||")],
    ),
    broken(
        "verify: a refusal of the server's is its sum",
        &["it/what_is_no_sum_of_that_kind_is_none"],
        &[("src/proto/ftp/sum.rs", "let words = reply.value()?.split", "let words = reply.lines.last()?.split")],
    ),
    broken(
        "verify: a name in a list leads out of the saved folder",
        &["it/no_name_in_a_list_leads_out_of_its_folder"],
        &[("src/sums/tree.rs", "&& step != b\"..\"", "")],
    ),
    broken(
        "put: a part of others is gone on with",
        &["it/a_part_of_our_own_is_gone_on_with_and_one_of_others_is_not"],
        &[("src/proto/ftp/put.rs", "let ours = self.context.begun.has(file, octets).await;", "let ours = octets > 0;")],
    ),
    broken(
        "put: what another running copy sends is its own",
        &["it/what_an_earlier_run_sent_is_gone_on_with"],
        &[("src/proto/ftp/begun.rs", "run == own || disk::has_ended(run)", "!run.is_empty()")],
    ),
    broken(
        "put: a password is kept with what is sent",
        &["it/what_an_earlier_run_sent_is_gone_on_with"],
        &[("src/proto/ftp/put.rs", ".without_secrets();", ".as_str().to_owned();")],
    ),
    broken(
        "put: a file of another length has arrived",
        &["it/what_arrives_otherwise_than_it_was_sent_is_told"],
        &[("src/proto/ftp/put.rs", "Some(octets) if octets == length =>", "Some(octets) if octets <= length =>")],
    ),
    broken(
        "put: --safe sends files",
        &["it/only_directories_of_ftp_take_files_and_only_where_that_is_allowed"],
        &[("src/app/commands.rs", "const SEND: &[&str] = &[\"put\"];", "const SEND: &[&str] = &[];")],
    ),
    broken(
        "put: a page that is asked for again is sent its file again",
        &["it/a_file_is_sent_when_the_reader_has_agreed_to_what_is_there"],
        &[("src/app/page/fields.rs", "!matches!(self, Sent::File(_))", "matches!(self, _)")],
    ),
    broken(
        "archives: a part of another file is taken for one of this",
        &["it/a_zip_that_changes_between_is_another_one"],
        &[(
            "src/proto/archive/far.rs",
            "let same = head.length == Some(self.length) &&",
            "let same = head.length.is_some() &&",
        )],
    ),
    broken(
        "files: a server sends the part that it likes",
        &["it/the_beginning_of_a_file_is_not_fetched_again"],
        &[(
            "src/proto/http/mod.rs",
            "Some((from, ..)) if from != resume.from => {",
            "Some((from, ..)) if from > u64::MAX - 1 => {",
        )],
    ),
    broken(
        "files: the rest of another file is put behind what came of one",
        &["lib/the_rest_of_another_file_is_not_written_behind_what_came"],
        &[(
            "src/shell/save/mod.rs",
            "if let Some(why) = self.claim.is_of_another(now, listed.modified, start > 0) {",
            "if let Some(why) = self.claim.is_of_another(now, listed.modified, start > 0).filter(|_| false) {",
        )],
    ),
    broken(
        "files: two versions of one length are joined where only one of them has a time",
        &["it/a_part_is_gone_on_with_where_its_time_says_so_or_a_listing_does"],
        &[("src/proto/ftp/facts.rs", "(true, false) => resume.as_listed,", "(true, false) => true,")],
    ),
    broken(
        "archives: what is made to fill disks stays there",
        &["it/a_bomb_on_its_way_is_refused_and_not_cut"],
        &[("src/proto/archive/mod.rs", "matches!(fault.why, Why::TooLarge | Why::Unsafe)", "fault.why == Why::Unsafe")],
    ),
    broken(
        "archives: a listing of this machine leads out of its folder by a link",
        &["it/what_a_listing_of_this_machine_names_leads_out_of_its_folder_by_no_link"],
        &[("src/proto/file/bound.rs", "if real.starts_with(within) {", "if real.is_absolute() {")],
    ),
    broken(
        "private tabs: what is marked in newsgroups goes to disk",
        &["it/a_private_tab_marks_nothing_read"],
        &[(
            "src/app/news/undo.rs",
            "if !mailbox::is_name(server) && is_refused(cx) {",
            "if server.is_empty() && is_refused(cx) {",
        )],
    ),
    broken(
        "verify: what stands before what is signed in clear counts as well",
        &["it/a_list_of_sums_that_is_signed_in_clear_is_read_and_its_signature_offered"],
        &[("src/format/message/signed.rs", "if !all[..begin].iter().all(blank) ||", "if")],
    ),
    broken(
        "keys: Enter in the anatomy of a page follows a link of the one that came after it",
        &["it/a_page_that_arrives_takes_no_list_and_no_letter_away"],
        &[("src/app/look/anatomy/mod.rs", "    if anew {", "    if anew && act.is_none() {")],
    ),
    broken(
        "pictures: pixels beyond every bound are unpacked",
        &["it/a_picture_that_says_it_is_vast_is_not_unpacked"],
        &[("src/picture/decode.rs", "if pixels > MOST_PIXELS {", "if pixels > u64::MAX / 2 {")],
    ),
    broken(
        "pictures: they hold what memory they like",
        &["it/a_picture_is_part_of_the_memory_of_its_page", "it/what_unpacking_needs_beside_the_pixels_counts"],
        &[(
            "src/picture/decode.rs",
            "octets_wanted.saturating_mul(1 + beside) <= room as u64",
            "octets_wanted.saturating_mul(beside) <= u64::MAX",
        )],
    ),
    broken(
        "pictures: one in a text is fetched from another server without a yes",
        &["it/a_picture_of_another_server_is_asked_about"],
        &[("src/app/look/illustration.rs", "if own && warning.is_none() {", "if own || warning.is_none() {")],
    ),
    broken(
        "pictures: a page shows those of other servers by itself",
        &["it/a_page_shows_none_of_another_server_by_itself"],
        &[(
            "src/app/look/illustration.rs",
            "let may = is_own(&url, &picture) &&",
            "let may = !url.as_str().is_empty() &&",
        )],
    ),
    broken(
        "pictures: a page that was kept has those of its server fetched by itself",
        &["it/a_page_that_was_kept_asks_nobody_for_its_pictures"],
        &[("src/app/look/illustration.rs", "(!is_copy || picture.is(\"data\"))", "true")],
    ),
    broken(
        "pictures: one in a text comes from where a redirect leads, whoever's that is",
        &["it/a_redirect_to_another_server_is_not_followed"],
        &[("src/app/look/illustration.rs", "is_own(from, to) && ", "")],
    ),
    broken(
        "pictures: what a server says of one in a text is text as it came",
        &["it/what_a_server_says_of_a_picture_becomes_text_of_one_line"],
        &[("src/app/look/illustration.rs", "sanitise(&sentence).replace(", "sentence.replace(")],
    ),
    broken(
        "pictures: what comes unasked and never becomes one counts for nothing",
        &["it/what_is_shown_unasked_has_a_bound_that_counts_what_came_of_it"],
        &[("src/app/page/illustration.rs", "if unasked { octets } else { 0 }", "if unasked { 0 } else { 0 }")],
    ),
    broken(
        "pictures: octets of the file go to the terminal",
        &["it/no_octet_of_a_file_reaches_the_terminal"],
        &[(
            "src/format/picture.rs",
            "out.document_mut().picture = Some(picture);",
            "out.text(&String::from_utf8_lossy(&octets)); out.document_mut().picture = Some(picture);",
        )],
    ),
    broken(
        "trails: a title is in a file as it came",
        &["it/a_hostile_title_is_words_in_every_kind_of_file"],
        &[("src/work/trail/mod.rs", "sanitise(&text).split_whitespace()", "text.split_whitespace()")],
    ),
    broken(
        "trails: signs of Markdown in a title mean something",
        &["it/a_hostile_title_is_words_in_every_kind_of_file"],
        &[("src/work/trail/file.rs", "c.is_ascii_punctuation().then_some('\\\\')", "(c == '\\0').then_some('\\\\')")],
    ),
    broken(
        "trails: elements of a page of the web in a title mean something",
        &["it/a_hostile_title_is_words_in_every_kind_of_file"],
        &[("src/work/trail/file.rs", ".replace('<', \"&lt;\")", "")],
    ),
    broken(
        "trails: others are told where files of this machine are",
        &["it/a_hostile_title_is_words_in_every_kind_of_file"],
        &[("src/work/trail/file.rs", ".filter(scheme::is_of_network)", ".filter(|_| true)")],
    ),
    broken(
        "trails: what is forgotten stays as what led elsewhere",
        &["it/what_is_forgotten_is_on_no_trail_nor_in_the_file"],
        &[("src/visits/file.rs", ".filter(|led| is_known(*led))", ".filter(|_| !last.is_empty())")],
    ),
    broken(
        "links: a page has as many in the store as it likes",
        &["it/links_without_end_are_bounded_and_of_many_pages_the_newest_are_looked_at"],
        &[("src/store/page.rs", "self.document.link_count().min(LINKS)", "self.document.link_count()")],
    ),
    broken(
        "links: an address with a user in it is in the store",
        &["it/links_without_end_are_bounded_and_of_many_pages_the_newest_are_looked_at"],
        &[("src/store/page.rs", "is_of_network(url) && url.user().is_none()).map(", "is_of_network(url)).map(")],
    ),
    broken(
        "links: what links to a page of a private tab is asked as if it were none",
        &["it/of_a_page_in_a_private_tab_it_is_asked_in_private"],
        &[(
            "src/app/navigation/kept.rs",
            "private: cx.tab.private, ..Request::new(Kept::Linked",
            "..Request::new(Kept::Linked",
        )],
    ),
    broken(
        "changes: so much of a page is called new as it likes",
        &["it/what_is_new_in_a_page_is_told_against_its_copy_of_before"],
        &[("src/store/page.rs", " || fresh.len() >= FRESH", "")],
    ),
];
