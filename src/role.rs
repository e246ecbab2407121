//! The list of looks: what a piece of text *is*, never how it is coloured.
//!
//! A theme maps the dotted names to styles and falls back along the dots (`bar.url.host` → `bar.url` → `bar`).

/// Declares [`Role`] from rows of `Variant "dotted.name"`, so that name and variant cannot drift apart.
macro_rules! roles {
    ($($variant:ident $name:literal),+ $(,)?) => {
        /// A look, by its dotted name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
        #[repr(u8)]
        pub enum Role {
            #[default]
            $(#[doc = $name] $variant),+
        }

        impl Role {
            /// Every role, in the order of the list.
            pub const ALL: &[Role] = &[$(Role::$variant),+];

            /// The dotted name by which themes know the role.
            pub fn name(self) -> &'static str {
                match self { $(Role::$variant => $name),+ }
            }

            /// The role of a dotted name.
            pub fn named(name: &str) -> Option<Role> {
                match name { $($name => Some(Role::$variant),)+ _ => None }
            }
        }
    };
}

roles! {
    Text "page.text",
    Info "page.info",
    Link "page.link",
    LinkVisited "page.link.visited",
    LinkUnread "page.link.unread",
    LinkFocus "page.link.focus",
    LinkWeak "page.link.weak",
    LinkMarked "page.link.marked",
    LinkBroken "page.link.broken",
    LinkNumber "page.link.number",
    LinkHint "page.link.hint",
    Marker "page.marker",
    MarkerFocus "page.marker.focus",
    MarkerOwn "page.marker.own",
    MarkerAnswer "page.marker.answer",
    MarkerMarked "page.marker.marked",
    Heading "page.heading",
    Heading2 "page.heading.2",
    Heading3 "page.heading.3",
    Strong "page.strong",
    Emphasis "page.emphasis",
    Code "page.code",
    CodeBlock "page.code.block",
    Quote "page.quote",
    Quote2 "page.quote.2",
    Quote3 "page.quote.3",
    Dim "page.dim",
    Rule "page.rule",
    Underlined "page.underlined",
    Deleted "page.deleted",
    Marked "page.marked",
    Image "page.image",
    TableHead "page.table.head",
    Field "page.field",
    Size "page.size",
    Date "page.date",
    Error "page.error",
    Warning "page.warning",
    Control "page.control",
    Scrollbar "page.scrollbar",
    ScrollbarThumb "page.scrollbar.thumb",
    Match "page.match",
    MatchCurrent "page.match.current",
    NewLine "page.new",
    Red "page.colour.red",
    RedBright "page.colour.red.bright",
    Green "page.colour.green",
    GreenBright "page.colour.green.bright",
    Yellow "page.colour.yellow",
    YellowBright "page.colour.yellow.bright",
    Blue "page.colour.blue",
    BlueBright "page.colour.blue.bright",
    Magenta "page.colour.magenta",
    MagentaBright "page.colour.magenta.bright",
    Cyan "page.colour.cyan",
    CyanBright "page.colour.cyan.bright",
    Bar "bar",
    BarScheme "bar.url.scheme",
    BarUser "bar.url.user",
    BarPassword "bar.url.password",
    BarHost "bar.url.host",
    BarPort "bar.url.port",
    BarPortDefault "bar.url.port.default",
    BarPortOdd "bar.url.port.odd",
    BarType "bar.url.type",
    BarPath "bar.url.path",
    BarName "bar.url.name",
    BarQuery "bar.url.query",
    BarFragment "bar.url.fragment",
    BarWarning "bar.warning",
    BarBase "bar.base",
    BarPlace "bar.place",
    BarStage "bar.stage",
    BarError "bar.error",
    Line "line",
    LineLabel "line.label",
    LineError "line.error",
    LineInput "line.input",
    Tab "tab",
    TabCurrent "tab.current",
    TabArrived "tab.arrived",
    TabFailed "tab.failed",
    TabBusy "tab.busy",
    TabPrivate "tab.private",
    TabRule "tab.rule",
    Overlay "overlay",
    OverlayBorder "overlay.border",
    OverlayTitle "overlay.title",
    OverlayFocus "overlay.focus",
    OverlayKey "overlay.key",
    OverlayMatch "overlay.match",
    OverlayForce "overlay.force",
    OverlayDim "overlay.dim",
    OverlayError "overlay.error",
}

impl Role {
    /// The look of a heading by its level, from 1; the third is that of all deeper ones.
    pub fn heading(level: u8) -> Role {
        match level {
            0 | 1 => Role::Heading,
            2 => Role::Heading2,
            _ => Role::Heading3,
        }
    }
}
