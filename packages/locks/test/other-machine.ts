import type * as Module from 'node:module';
import { vi } from 'vitest';

const PARTS = ['node:module', 'fs-native-extensions'];

interface Machine {
  /** Instead of the native part that lies in its place; there is none if it throws. */
  readonly tryLock?: (native: () => void) => void;
  readonly hasNative?: boolean;
  /** What the package finds by its own search; nothing if it is not given. */
  readonly found?: (fd: number) => boolean;
}

/** From here on, a module of the package that is imported is loaded anew, as on a machine like this. */
export function asOn({ tryLock = (native) => native(), hasNative = true, found }: Machine): void {
  vi.resetModules();
  vi.doMock('node:module', async (load) => {
    const actual = await load<typeof Module>();
    const createRequire = (from: string) => (id: string) => {
      if (!hasNative) throw new Error('there is nothing of this name');
      const native = actual.createRequire(from)(id);
      return { tryLock: (...args: unknown[]) => tryLock(() => native.tryLock(...args)) };
    };
    return { ...actual, createRequire };
  });
  vi.doMock('fs-native-extensions', () => {
    if (!found) throw new Error('there are no locks for this platform');
    return { tryLock: found };
  });
}

/** Back to the machine that there is. */
export function asHere(): void {
  for (const part of PARTS) vi.doUnmock(part);
  vi.resetModules();
}
