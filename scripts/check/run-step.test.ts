import { describe, expect, it } from 'vitest';
import { runStep } from './run-step.ts';

const step = (...command: [string, ...string[]]) => ({ name: 'it', command, proves: 'something' });

describe('runStep', () => {
  it('keeps what both streams print', async () => {
    const code = 'console.log("to stdout"); console.error("to stderr")';
    const ran = await runStep(step('node', '-e', code), process.cwd());
    expect(ran.failed).toBe(false);
    expect(ran.output).toContain('to stdout');
    expect(ran.output).toContain('to stderr');
  });

  it('reports an exit code other than 0 as failed', async () => {
    expect(await runStep(step('node', '-e', 'process.exit(3)'), process.cwd())).toMatchObject({
      failed: true,
    });
  });

  it('gives the step an ended standard input', async () => {
    const code = 'process.stdin.resume().on("end", () => console.log("ended"))';
    expect((await runStep(step('node', '-e', code), process.cwd())).output).toBe('ended');
  });

  it('says which program could not be started', async () => {
    const ran = await runStep(step('no-such-program'), process.cwd());
    expect(ran.failed).toBe(true);
    expect(ran.output).toContain('no-such-program');
  });
});
