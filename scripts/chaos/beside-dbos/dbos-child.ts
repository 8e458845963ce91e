import { pathToFileURL } from 'node:url';
import { note, STEPS, toldBy, untilCompleted, work } from './eight-steps.ts';
import { dbosEntry } from './install-dbos.ts';

/** The part of DBOS that is used here. */
interface Dbos {
  setConfig(config: {
    name: string;
    systemDatabaseUrl: string;
    executorID: string;
    logLevel: string;
    applicationVersion: string;
  }): void;
  registerWorkflow(
    work: (run: string) => Promise<number>,
    options: { name: string },
  ): (run: string) => Promise<number>;
  runStep<Value>(work: () => Promise<Value>, options: { name: string }): Promise<Value>;
  launch(): Promise<void>;
  startWorkflow(
    target: (run: string) => Promise<number>,
    params: { workflowID: string },
  ): (run: string) => Promise<{ getResult(): Promise<number> }>;
}

/** DBOS in a process of its own, with the same runs. */
const { databaseUrl, file, executor, runs } = toldBy(process.argv.slice(2));
const { DBOS } = (await import(pathToFileURL(dbosEntry()).href)) as { DBOS: Dbos };
DBOS.setConfig({
  name: 'beside',
  systemDatabaseUrl: databaseUrl,
  executorID: executor,
  applicationVersion: '1',
  logLevel: 'error',
});
const eight = DBOS.registerWorkflow(
  async (run) => {
    let sum = 0;
    for (let step = 0; step < STEPS; step += 1)
      sum += await DBOS.runStep(() => work(file, run, step), { name: `s${step}` });
    return sum;
  },
  { name: 'eight' },
);
await DBOS.launch();
note(file, { run: '', what: 'is up' });
await Promise.all(
  runs.map((run) =>
    untilCompleted(file, run, async () => {
      const handle = await DBOS.startWorkflow(eight, { workflowID: run })(run);
      await handle.getResult();
    }),
  ),
);
setInterval(() => {}, 60_000);
