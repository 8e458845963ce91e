import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const LOOK_MS = 5;
const LISTENING = '0A';

/** Sees to whom a process and its children connect. */
export interface SocketWatch {
  /** Addresses with ports; by default none of this machine's loopback. */
  stop(): readonly string[];
}

/**
 * Undefined where the system does not tell it: all but Linux. A connection of less than 5 ms may be missed.
 * @param isOwn which addresses are not told of
 */
export function watchSockets(pid: number, isOwn = isLoopback): SocketWatch | undefined {
  if (process.platform !== 'linux') return undefined;
  const seen = new Set<string>();
  const look = () => {
    for (const each of treeOf(pid)) for (const address of remotesOf(each)) seen.add(address);
  };
  look();
  const timer = setInterval(look, LOOK_MS);
  return {
    stop() {
      clearInterval(timer);
      look();
      return [...seen].filter((address) => !isOwn(address)).sort();
    },
  };
}

function treeOf(pid: number): number[] {
  const children = quietly(() => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'), '');
  return [pid, ...children.split(' ').filter(Boolean).map(Number).flatMap(treeOf)];
}

function remotesOf(pid: number): string[] {
  const links = quietly(() => readdirSync(`/proc/${pid}/fd`), []);
  const inodes = new Set(
    links.flatMap((fd) => {
      const target = quietly(() => readlinkSync(`/proc/${pid}/fd/${fd}`), '');
      return /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? [];
    }),
  );
  if (inodes.size === 0) return [];
  return ['tcp', 'tcp6', 'udp', 'udp6'].flatMap((table) => {
    const rows = quietly(() => readFileSync(`/proc/${pid}/net/${table}`, 'utf8'), '').split('\n');
    return rows.slice(1).flatMap((row) => {
      const [, , remote = '', state, , , , , , inode = ''] = row.trim().split(/\s+/);
      const [address = '', port = '0000'] = remote.split(':');
      if (!inodes.has(inode) || state === LISTENING || port === '0000') return [];
      return [`${readAddress(address)} port ${Number.parseInt(port, 16)}`];
    });
  });
}

/** The kernel writes each four bytes in the machine's order. */
function readAddress(hex: string): string {
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap((word) => (word.match(/../g) ?? []).reverse());
  const numbers = bytes.map((byte) => Number.parseInt(byte, 16));
  if (numbers.length === 4) return numbers.join('.');
  const isMapped = numbers.slice(0, 10).every((byte) => byte === 0) && numbers[10] === 255;
  if (isMapped) return numbers.slice(12).join('.');
  return (bytes.join('').match(/.{4}/g) ?? []).map((group) => group.toLowerCase()).join(':');
}

function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address.startsWith('0000:0000:0000:0000:0000:0000:0000:0001 ');
}

function quietly<Found>(read: () => Found, otherwise: Found): Found {
  try {
    return read();
  } catch {
    return otherwise; // it ended meanwhile
  }
}
