/** Characters of the word by which a connection says which stream of which program it is: a UUID. */
const TOKEN_CHARACTERS = 36;

/** How long a connection may take to say so, and a program to be started once it was asked for. */
export const START_MS = 10_000;

/**
 * The process that starts programs for a larger one: `fork` copies the tables of the memory of who calls it, and
 * this one has little. A text, so that it needs no file that could be missing beside a bundle.
 *
 * It listens on a socket in a folder for its user alone. Who asks for a program opens a connection for each of its
 * streams, each of which begins with a token; told of the tokens, this hands the connections to the program as they
 * are, so that nothing goes through this process afterwards and all goes on without it. It tells which process it
 * became, and by what it exited. What it started ends with its owner.
 */
export const STARTER = `
const { spawn } = require('node:child_process');
const { mkdtempSync, rmSync } = require('node:fs');
const { createServer } = require('node:net');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

// It ends with its owner, and when nothing else is left to be done.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.on(signal, () => {});

const folder = mkdtempSync(join(tmpdir(), 'nexus-starter-'));
const path = join(folder, 's');
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
// Longer ones are cut without a word.
if (Buffer.byteLength(path) > 100) process.exit(1);

const connections = new Map();
const asked = new Map();
const running = new Map();
const tell = (message) => {
  if (process.connected) process.send(message, undefined, undefined, () => {});
};

const server = createServer({ allowHalfOpen: true }, (socket) => {
  const late = setTimeout(() => socket.destroy(), ${START_MS} * 2);
  socket.on('error', () => socket.destroy());
  const begin = () => {
    const token = socket.read(${TOKEN_CHARACTERS});
    if (token === null) return;
    socket.off('readable', begin);
    connections.set(String(token), socket);
    socket.once('close', () => {
      clearTimeout(late);
      connections.delete(String(token));
    });
    startWhatIsWhole();
  };
  socket.on('readable', begin);
});

const startWhatIsWhole = () => {
  for (const [id, request] of asked) {
    const streams = request.tokens.map((token) => connections.get(token));
    if (streams.some((stream) => stream === undefined)) continue;
    asked.delete(id);
    // By now its owner may have given it up.
    if (Date.now() <= request.until) start(id, request.program, streams);
    else tell({ id, failure: { message: 'it came too late' } });
    for (const stream of streams) stream.destroy();
  }
};

const start = (id, { command, args, cwd, environment, hasGroup }, stdio) => {
  const failed = ({ message, code, errno, syscall, path }) => {
    running.delete(id);
    tell({ id, failure: { message, code, errno, syscall, path } });
  };
  try {
    const child = spawn(command, args, { cwd, env: environment, stdio, detached: hasGroup });
    running.set(id, { child, hasGroup });
    child.on('error', (error) => {
      if (child.pid === undefined) failed(error);
    });
    child.once('spawn', () => tell({ id, pid: child.pid }));
    child.once('exit', (exitCode, signalName) => {
      running.delete(id);
      tell({ id, exitCode, signalName });
      if (!process.connected && running.size === 0) process.exit();
    });
  } catch (error) {
    failed(error);
  }
};

process.on('message', ({ id, forget, ...request }) => {
  if (!forget) {
    asked.set(id, request);
    startWhatIsWhole();
  } else if (asked.delete(id)) tell({ id, failure: { message: 'it was not wanted any more' } });
});

const signalTo = ({ child, hasGroup }, signal) => {
  try {
    process.kill(hasGroup ? -child.pid : child.pid, signal);
  } catch {
    // Gone already.
  }
};
process.once('disconnect', () => {
  if (running.size === 0) process.exit();
  // Groups are asked by the watchdog of the owner; this forces what it was not told of any more.
  for (const each of running.values()) if (!each.hasGroup) signalTo(each, 'SIGTERM');
  setTimeout(() => {
    for (const each of running.values()) signalTo(each, 'SIGKILL');
    process.exit();
  }, 3000);
});

server.listen(path, () => tell({ path }));
`;
