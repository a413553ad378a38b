//! Where the peers are, and the words that start them.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use super::run::Sandbox;

/// The peer of `tests/peers/rmcp.rs`. `cargo test` builds it along with the tests; where only this test
/// binary was asked for, cargo is told to build it now.
pub(crate) fn rmcp_peer() -> PathBuf {
    static PEER: OnceLock<PathBuf> = OnceLock::new();
    PEER.get_or_init(find_or_build).clone()
}

fn find_or_build() -> PathBuf {
    let tests = env::current_exe().expect("the test binary has a path");
    let profile = tests.parent().and_then(|deps| deps.parent()).expect("target/PROFILE/deps");
    let peer = profile.join("examples").join(format!("rmcp-peer{}", env::consts::EXE_SUFFIX));
    let sources = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/peers");
    let age = |path: &Path| path.metadata().and_then(|facts| facts.modified()).ok();
    if ["rmcp.rs", "features.rs"].iter().any(|source| age(&peer) < age(&sources.join(source))) {
        let built = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--no-default-features", "--example", "rmcp-peer"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .status();
        assert!(built.is_ok_and(|status| status.success()), "cargo build --example rmcp-peer");
    }
    peer
}

/// The peers that `shared/peers/setup.sh` installed, and its drivers.
pub(crate) struct Installed {
    /// `MIDWIRE_PEERS`: the folder of the drivers and of `tee.py`.
    drivers: PathBuf,
    /// `PEERS`: the folder into which they were installed.
    place: PathBuf,
}

impl Installed {
    /// Finds them, or says what is missing.
    pub(crate) fn find() -> Self {
        let home = env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
        let place = env::var_os("PEERS").map_or_else(|| home.join("mcp-peers"), PathBuf::from);
        let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/peers");
        let drivers = env::var_os("MIDWIRE_PEERS").map(PathBuf::from).into_iter();
        let drivers = drivers.chain([beside, PathBuf::from("/work/shared/peers")]).find(|path| path.is_dir());
        let drivers = drivers.expect("the drivers: set MIDWIRE_PEERS to the folder shared/peers");
        assert!(place.is_dir(), "{}: run shared/peers/setup.sh first, or set PEERS", place.display());
        Self { drivers: drivers.canonicalize().expect("a folder that is there"), place }
    }

    /// What the clients need in their environment; the servers get none of it. The drivers load the SDK
    /// from `$P/ts2` and offer `$P/sandbox/fs` as their root, so that each sandbox is a `P` of its own.
    pub(super) fn environment(&self, sandbox: &Sandbox) -> Vec<(String, String)> {
        sandbox.link(&self.place.join("ts2"));
        vec![("P".into(), text(&sandbox.root())), ("NO_COLOR".into(), "1".into())]
    }

    /// A recorder that this project did not write, appending to `out`.
    pub(super) fn witness(&self, out: &str) -> Vec<String> {
        // Not the python3 of PATH: a version manager's shim would change the environment that the server gets.
        let (python, tee) = (self.in_place("py-mcp2/bin/python"), self.driver("tee.py"));
        ["env", "TEE_APPEND=1", &python, &tee, out, "env", "-u", "TEE_APPEND"].map(str::to_owned).to_vec()
    }

    /// The Python SDK's client: introduces itself and lists the tools.
    pub(super) fn python_client(&self, mode: &str) -> Vec<String> {
        vec![self.in_place("py-mcp2/bin/python"), self.driver("pycli.py"), mode.into(), "stdio".into()]
    }

    /// The same over HTTP; the URL comes behind.
    pub(super) fn python_client_http(&self, mode: &str) -> Vec<String> {
        vec![self.in_place("py-mcp2/bin/python"), self.driver("pycli.py"), mode.into(), "http".into()]
    }

    /// Our own peer on the Python SDK, a server or a client over HTTP.
    pub(super) fn python_peer(&self, arguments: &[&str]) -> Vec<String> {
        let peer = text(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/peers/python.py"));
        let arguments = arguments.iter().map(|&argument| argument.to_owned());
        [self.in_place("py-mcp2/bin/python"), peer].into_iter().chain(arguments).collect()
    }

    /// The command line of fastmcp, which is a client.
    pub(super) fn fastmcp(&self) -> Vec<String> {
        vec![self.in_place("py-fastmcp/bin/fastmcp")]
    }

    /// It lists the tools of a URL that comes behind.
    pub(super) fn fastmcp_list(&self) -> Vec<String> {
        [self.fastmcp(), ["list", "--json"].map(str::to_owned).to_vec()].concat()
    }

    /// A server on fastmcp.
    pub(super) fn fastmcp_stdio(&self) -> Vec<String> {
        vec![self.in_place("py-fastmcp/bin/python"), self.driver("fm.py")]
    }

    /// A server on fastmcp over HTTP; `PORT` stands for its port.
    pub(super) fn fastmcp_server(&self) -> Vec<String> {
        vec![self.in_place("py-fastmcp/bin/python"), self.driver("fm.py"), "PORT".into()]
    }

    /// The Rust SDK's client: calls the tools of `rmcp-peer`, which elsewhere fail as unknown.
    pub(super) fn rust_client(&self, mode: &str) -> Vec<String> {
        let _ = self;
        vec![text(&rmcp_peer()), "client".into(), mode.into()]
    }

    /// The TypeScript SDK's client: lists everything and calls every tool.
    pub(super) fn drive_all(&self, mode: &str) -> Vec<String> {
        vec![self.node(), self.driver("driveall.mjs"), mode.into(), "stdio".into()]
    }

    /// The same over HTTP; the URL comes behind.
    pub(super) fn drive_all_http(&self, mode: &str) -> Vec<String> {
        vec![self.node(), self.driver("driveall.mjs"), mode.into(), "http".into()]
    }

    /// The TypeScript SDK's client: makes the calls given as JSON.
    pub(super) fn calls(&self, mode: &str, calls: &str) -> Vec<String> {
        vec![self.node(), self.driver("calls.mjs"), mode.into(), calls.into(), "stdio".into()]
    }

    /// A server of the TypeScript SDK, of both eras.
    pub(super) fn typescript_server(&self) -> Vec<String> {
        vec![self.node(), self.driver("ts-server.mjs"), "--peers".into(), text(&self.place)]
    }

    /// One of the reference servers on npm.
    pub(crate) fn node_server(&self, name: &str, arguments: &[&str]) -> Vec<String> {
        let main = format!("servers/node_modules/@modelcontextprotocol/server-{name}/dist/index.js");
        let arguments = arguments.iter().map(|&argument| argument.to_owned());
        [self.node(), self.in_place(&main)].into_iter().chain(arguments).collect()
    }

    /// One of the reference servers on `PyPI`. `REPOSITORY` stands for a git repository.
    pub(super) fn python_server(&self, name: &str, arguments: &[&str]) -> Vec<String> {
        let repository = self.in_place("sandbox/repo");
        let program = self.in_place(&format!("py-servers/bin/mcp-server-{name}"));
        let arguments = arguments.iter().map(|argument| argument.replace("REPOSITORY", &repository));
        [program].into_iter().chain(arguments).collect()
    }

    /// The official conformance suite.
    pub(super) fn conformance(&self) -> Vec<String> {
        vec![self.node(), self.in_place("conf/node_modules/@modelcontextprotocol/conformance/dist/index.js")]
    }

    fn node(&self) -> String {
        self.in_place("node22/node_modules/node/bin/node")
    }

    fn driver(&self, name: &str) -> String {
        text(&self.drivers.join(name))
    }

    fn in_place(&self, path: &str) -> String {
        text(&self.place.join(path))
    }
}

fn text(path: &Path) -> String {
    path.to_str().expect("a path in UTF-8").to_owned()
}
