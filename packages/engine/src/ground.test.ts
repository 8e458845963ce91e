import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const folder = fileURLToPath(new URL('.', import.meta.url));
/** Clocks, timers and chance of the machine. */
const OF_THE_MACHINE =
  /\b(?:set(?:Timeout|Interval|Immediate)|clear(?:Timeout|Interval|Immediate)|queueMicrotask|performance\.|Date\.now|new Date\(\)|Math\.random|randomUUID|randomBytes|randomInt|getRandomValues|hrtime|uptime\(|nextTick|node:timers|AbortSignal\.timeout)/;

describe('the engine', () => {
  it('has no clock, timer or chance but those of its ground', () => {
    const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file !== 'ground.ts')
      .flatMap((file) =>
        readFileSync(join(folder, file), 'utf8')
          .split('\n')
          .flatMap((line, at) => (OF_THE_MACHINE.test(line) ? [`${file}:${at + 1} ${line.trim()}`] : [])),
      );
    expect(found).toEqual([]);
  });
});
