import { CALL } from '../../../src/record/job-kind.ts';
import { stepKey } from '../../../src/record/step-key.ts';
import type { RunLimits } from '../../../src/worker/worker-options.ts';
import type { RowChange, Tables } from '../database/tables.ts';
import type { SimulatedProcess } from '../ground/process.ts';
import type { World } from '../ground/world.ts';
import type { Endpoints, ModelCall } from '../outside/endpoints.ts';
import { GUEST, placeIn } from '../outside/kinds.ts';
import type { Program } from '../outside/program.ts';
import { GUEST_TOOL } from '../outside/tools.ts';

/**
 * How long after its arrival an answer may be lost with its process: the statements that put it on record, on an
 * idle machine. Where the store was away or slow meanwhile, it counts from when it was back.
 */
const WINDOW_MS = 10;
const DISTURBED_WINDOW_MS = 3_000;
const TAKEN_OVER_MS = 12_000;
const MAX_CRASHES = 3;

export interface WatchedRun {
  readonly id: string;
  readonly rootId: string;
  readonly errand: number | undefined;
  /** Where in its errand it stands. */
  readonly at: string | undefined;
  readonly place: string;
  status: string;
  owner: string | null;
  ownedSince: number;
  error: string | null;
}

export interface Watched {
  readonly world: World;
  readonly tables: Tables;
  readonly endpoints: Endpoints;
  readonly processes: readonly SimulatedProcess[];
  /** Who made the statement that is being committed. */
  storeDisturbedAt(process: SimulatedProcess): number;
  /** How many runs may go on at a time. */
  readonly limits: RunLimits | undefined;
  /** In one second of one process: more is no work but a circle. */
  mostStatements(): number;
  /** What ends in this world is too new to be forgotten. */
  readonly isFresh: boolean;
  /** Nobody sees to what nobody waits for. */
  readonly isUnserved: boolean;
  /** Who could go on with what is due takes it soon. */
  readonly isPrompt: boolean;
  /** How long at most a process that stands still holds what it has locked. */
  readonly lockedMs: number;
  onRun(run: { readonly runId: string; readonly program: Program }): void;
  /** A job is in a process's hands, of which all that is left is to tell what its run came to. */
  onUntold(process: SimulatedProcess): void;
  onQuestion(question: {
    readonly runId: string;
    readonly name: string;
    readonly digest: string | undefined;
  }): void;
}

function tellsOfUnknown(error: string | null): boolean {
  return error !== null && (JSON.parse(error) as { code: string }).code === 'NEXUS_OUTCOME_UNKNOWN';
}

/** What must hold of every world, asked after each commit, each call, each few seconds and at the end. */
export class Watch {
  readonly #on: Watched;
  readonly runs = new Map<string, WatchedRun>();
  readonly #workers = new Map<string, SimulatedProcess>();
  /** As each process is known now: one that was taken for dead comes back under another id. */
  readonly #idOf = new Map<SimulatedProcess, string>();
  /** Of an errand: the ids of processes that were lost with it since it last got a step further. */
  readonly #lost = new Map<number, Set<string>>();
  /** Steps that are completed, by their place in the family: a run that is begun anew has that of the one before. */
  readonly #done = new Map<string, Set<string>>();
  /** Errands of which a run ended so. */
  readonly #crashed = new Set<number>();
  readonly #asked = new Set<string>();
  /** Questions whose answers came first, and fit. */
  readonly #ahead = new Set<string>();
  readonly #statements = new Map<string, { second: number; count: number }>();
  /** Jobs that a process took, and was without their tool. */
  readonly #inVain = new Set<string>();
  /** Steps that are completed, and effects that were done, by where they stand in their errands. */
  readonly #stands = new Set<string>();
  readonly #effects = new Map<string, number>();
  /** Each time that somebody was told of steps that nobody knows the outcome of: where those stand in their errands. */
  readonly #told: ReadonlySet<string>[] = [];
  #open = 0;

  constructor(on: Watched) {
    this.#on = on;
    on.tables.onCommit = (changes) => this.#committed(changes);
    on.endpoints.isOwner = (process, runId) => this.isOwner(process, runId);
    on.endpoints.onCall = (call, earlier) => this.#called(call, earlier);
    on.endpoints.onPlace = (place) => {
      if (this.#stands.has(place)) on.world.wrong(`a finished call of ${place} is made again by another run`);
    };
    on.endpoints.onEffect = (key, count, place) => {
      if (place !== undefined) this.#effectAt(place);
      if (count > 1) on.world.wrong(`an effect that must not be repeated was done ${count} times (${key})`);
    };
  }

  /** Who was told that nobody knows, and has it go on, has it done once more. */
  #effectAt(place: string): void {
    const count = (this.#effects.get(place) ?? 0) + 1;
    this.#effects.set(place, count);
    // Of what is within a step it is told with that step.
    const isOf = (step: string) => place === step || place.startsWith(`${step}/`);
    const told = this.#told.filter((places) => [...places].some(isOf)).length;
    if (count > 1 + told)
      this.#on.world.wrong(`the effect at ${place} was done ${count} times, and told of ${told} times`);
  }

  /** Runs that have not ended. */
  get open(): number {
    return this.#open;
  }

  /** Families that stand at their cap until somebody raises it. */
  get paused(): readonly string[] {
    const paused = [...this.runs.values()].filter(({ status }) => status === 'paused');
    return [...new Set(paused.map(({ rootId }) => rootId))];
  }

  statement(process: SimulatedProcess): void {
    const { world } = this.#on;
    const most = this.#on.mostStatements();
    const second = Math.floor(world.now / 1_000);
    let counted = this.#statements.get(process.name);
    if (!counted) {
      counted = { second, count: 0 };
      this.#statements.set(process.name, counted);
    }
    if (counted.second !== second) {
      counted.second = second;
      counted.count = 0;
    }
    counted.count += 1;
    if (counted.count === most) world.wrong(`${process.name} makes ${most} statements in a second: it spins`);
  }

  /** Who has a run by the record. */
  ownerOf({ owner }: WatchedRun): SimulatedProcess | undefined {
    return owner === null ? undefined : this.#workers.get(owner);
  }

  /** A process makes itself known under an id. */
  knows(worker: string, process: SimulatedProcess): void {
    this.#workers.set(worker, process);
    this.#idOf.set(process, worker);
  }

  /** Families that have not ended. */
  get openRoots(): readonly string[] {
    const open = [...this.runs.values()].filter(({ status }) => isOpen(status));
    return [...new Set(open.map(({ rootId }) => rootId))];
  }

  /** Whether a run is a process's by the record. */
  isOwner(process: SimulatedProcess, runId: string): boolean {
    const run = this.runs.get(runId);
    return run?.status === 'running' && run.owner !== null && this.#workers.get(run.owner) === process;
  }

  #committed(changes: readonly RowChange[]): void {
    // What a new run keeps of one before is done from its beginning.
    for (const { table, row } of changes) {
      if (table.name === 'runs_runs' && row && !this.runs.has(String(row.id)))
        this.#runChanged(row as unknown as RunColumns);
    }
    // While the runs are still known by who made the change.
    for (const { table, row, key } of changes) {
      if (table.name !== 'runs_steps') continue;
      if (row?.status === 'completed') this.#completed(String(row.run_id), String(row.name), key);
      else for (const rows of this.#done.values()) rows.delete(key);
    }
    for (const { table, row, keyValues } of changes) {
      switch (table.name) {
        case 'runs_runs':
          if (row) this.#runChanged(row as unknown as RunColumns);
          else this.#forget(String(keyValues[0]));
          break;
        case 'runs_questions': {
          if (!row) break;
          const key = keyValues.join(' ');
          if (row.status === 'answered') this.#answered(key, row as unknown as QuestionColumns);
          if (row.status !== 'open' || this.#asked.has(key)) break;
          if (row.digest === null && this.#ahead.has(key))
            this.#on.world.wrong(
              `the question ${key} was answered before it was asked, and is asked all the same`,
            );
          this.#asked.add(key);
          const digest = row.digest === null ? undefined : String(row.digest);
          this.#on.onQuestion({ runId: String(row.run_id), name: String(row.name), digest });
          break;
        }
      }
    }
    if (this.#on.limits) this.#holdLimits(this.#on.limits);
  }

  /** An answer is on record: before its question, where that has no words yet. */
  #answered(key: string, { message, digest, answer }: QuestionColumns): void {
    const { action, content } = JSON.parse(answer) as { action: string; content?: { value?: string } };
    if (message === null) {
      if (content?.value !== undefined) this.#ahead.add(key);
    } else if (digest !== null && action === 'accept' && !this.#asked.has(key)) {
      this.#on.world.wrong(
        `the question ${key} is about something exact, and took a yes before anybody was asked`,
      );
    }
  }

  /** A family counts as one, and a job, which does nothing but to wait, as none. */
  #holdLimits({ runsPerProcess = Number.POSITIVE_INFINITY, runsPerProject }: RunLimits): void {
    const { world } = this.#on;
    const going = [...this.runs.values()].filter((run) => run.status === 'running' && !isOfJob(run));
    const all = new Set(going.map(({ rootId }) => rootId)).size;
    if (all > (runsPerProject ?? all)) world.wrong(`${all} runs go on, of ${runsPerProject} that may`);
    for (const owner of new Set(going.map((run) => run.owner))) {
      const his = new Set(going.filter((run) => run.owner === owner).map(({ rootId }) => rootId)).size;
      // One that processes have died with is taken whatever the room.
      if (his > runsPerProcess + 1)
        world.wrong(`${his} runs go on in a process, of ${runsPerProcess} that may`);
    }
  }

  #runChanged(row: RunColumns): void {
    const { world } = this.#on;
    const { id, status, owner } = row;
    let run = this.runs.get(id);
    if (!run) {
      const { errand, program, at } = inputOf(row);
      const above = row.parent_id === null ? undefined : this.runs.get(row.parent_id)?.place;
      const place = [above ?? row.root_id, row.parent_step, row.kind, row.start_key].join('/');
      const now = { status: '', owner: null, ownedSince: world.now, error: null };
      run = { id, rootId: row.root_id, errand, at, place, ...now };
      this.runs.set(id, run);
      if (errand !== undefined && !this.#lost.has(errand)) this.#lost.set(errand, new Set());
      if (program) this.#on.onRun({ runId: id, program });
    } else if (isEnd(run.status) && run.status !== status && !id.startsWith('job')) {
      world.wrong(`run ${id} was ${run.status} and is ${status} now`);
    }
    if (run.owner !== owner) {
      run.ownedSince = world.now;
      world.note(
        () => `run ${id.slice(0, 10)} ${status}, owner ${(owner && this.#workers.get(owner)?.name) ?? owner}`,
      );
      const by = owner === null ? undefined : this.#workers.get(owner);
      if (by && !by.isWhole && row.kind === GUEST.name)
        world.wrong(`run ${id} is of a plugin that ${by.name} is without, and goes on there`);
      if (by && !by.isWhole && row.title === GUEST_TOOL) this.#takenInVain(id, by);
      // What it committed last may arrive after it is gone, or stands still, and make a run its own.
      if (run.errand !== undefined && owner !== null && isAway(by)) this.#lost.get(run.errand)?.add(owner);
    } else if (run.status !== status) world.note(() => `run ${id.slice(0, 10)} ${status}`);
    const at = owner === null ? undefined : this.#workers.get(owner)?.machine;
    if (row.place && at !== undefined && at !== row.place)
      world.wrong(`run ${id} can go on only on ${row.place}, and goes on on ${at}`);
    this.#open += Number(isOpen(status)) - Number(isOpen(run.status));
    const had = run.owner;
    run.owner = owner;
    const wasError = run.error;
    run.error = row.error;
    const wasStatus = run.status;
    run.status = status;
    if (had !== owner || wasStatus !== status) this.#untold(run);
    // A run that ends is a step further as well, of whoever had it.
    if (wasStatus !== status && status === 'completed') this.#completed(id, '', id, had);
    if (wasStatus !== status && row.error !== null) this.#judge(run, row.error);
    // In one transaction it may fail by its own error first, and as what it was told of then.
    if (tellsOfUnknown(row.error) && (wasStatus !== status || !tellsOfUnknown(wasError))) this.#toldBy(run);
  }

  /** A job is taken by a process without its tool, which finds that out and then leaves it alone. */
  #takenInVain(jobId: string, by: SimulatedProcess): void {
    const key = `${jobId} ${by.name}`;
    if (this.#inVain.has(key))
      this.#on.world.wrong(`job ${jobId} is taken again by ${by.name}, which is without its tool`);
    this.#inVain.add(key);
  }

  #untold({ id, rootId, errand, status }: WatchedRun): void {
    if (errand === undefined || id !== rootId || (!id.startsWith('job') && status !== 'completed')) return;
    const roots = [...this.runs.values()].filter((each) => each.errand === errand && each.id === each.rootId);
    const job = roots.find((each) => each.id.startsWith('job') && each.status === 'running');
    const isDone = roots.some((each) => !each.id.startsWith('job') && each.status === 'completed');
    const by = job && isDone ? this.ownerOf(job) : undefined;
    if (by) this.#on.onUntold(by);
  }

  #forget(id: string): void {
    const run = this.runs.get(id);
    if (run?.errand !== undefined && this.#on.isFresh)
      this.#on.world.wrong(`run ${id} has only just ended, and is forgotten`);
    if (run && !isEnd(run.status)) this.#on.world.wrong(`run ${id} was ${run.status} and is forgotten`);
    this.runs.delete(id);
  }

  #completed(runId: string, name: string, key: string, by?: string | null): void {
    const run = this.runs.get(runId);
    if (!run) return;
    const stands = run.errand === undefined ? undefined : placeIn({ errand: run.errand, at: run.at }, name);
    if (stands !== undefined && name !== '') this.#stands.add(stands);
    const place = `${run.place}\n${name}`;
    const rows = this.#done.get(place) ?? new Set();
    this.#done.set(place, rows);
    if (rows.size === 0) this.#progressed(run, by === undefined ? run.owner : by);
    rows.add(key);
  }

  #progressed({ errand }: WatchedRun, owner: string | null): void {
    if (errand === undefined) return;
    // So may this.
    const lost = owner !== null && isAway(this.#workers.get(owner)) ? [owner] : [];
    this.#lost.set(errand, new Set(lost));
  }

  /** A process is gone, or was taken for it: who ran then lost it. */
  lost(process: SimulatedProcess): void {
    const id = this.#idOf.get(process);
    if (id === undefined) return;
    for (const run of this.runs.values()) {
      if (run.errand === undefined || isEnd(run.status)) continue;
      this.#lost.get(run.errand)?.add(id);
    }
  }

  #judge(run: WatchedRun, text: string): void {
    const { world } = this.#on;
    const { code, message, detail } = JSON.parse(text) as {
      code: string;
      message: string;
      detail?: Record<string, never>;
    };
    if (run.status === 'failed' || run.status === 'paused') {
      world.note(() => `run ${run.id.slice(0, 10)} ${run.status}: ${code} ${message}`);
    }
    if (code === 'NEXUS_CRASHED') {
      const { errand } = run;
      // One within a family ends with what is left of that.
      const done = run.id === run.rootId ? this.#doneFor(run.id) : undefined;
      if (done) world.wrong(`job ${run.id} ended as crashed, and its run ${done} is completed`);
      // Who waits for what ended so is told the same.
      if (errand === undefined || this.#crashed.has(errand)) return;
      this.#crashed.add(errand);
      const lost = this.#lost.get(errand)?.size;
      if (lost !== undefined && lost < MAX_CRASHES) {
        world.wrong(
          `run ${run.id} ended as crashed, and ${lost} processes were lost since it last got further`,
        );
      }
      return;
    }
    if (run.status === 'failed' && FAULTS_OF_THE_GROUND.has(code)) {
      world.wrong(`run ${run.id} failed by the ground: ${code}: ${message}`);
    }
    if (run.status !== 'paused') return;
    if (code !== 'NEXUS_BUDGET_EXCEEDED') {
      world.wrong(`run ${run.id} paused by the ground: ${code}: ${message}`);
      return;
    }
    const { spent, estimate, cap } = (detail ?? {}) as unknown as Partial<
      Record<'spent' | 'estimate' | 'cap', { tokens?: number }>
    >;
    if (spent?.tokens === undefined || estimate?.tokens === undefined || cap?.tokens === undefined) return;
    if (spent.tokens + estimate.tokens <= cap.tokens) {
      world.wrong(
        `run ${run.id} paused at ${spent.tokens} of ${cap.tokens} tokens for a call of at most ${estimate.tokens}`,
      );
    }
  }

  /** A family has ended with the words for what nobody knows the outcome of in it. */
  #toldBy({ id, rootId }: WatchedRun): void {
    if (id !== rootId) return;
    // As it is once all of the transaction is made.
    const [root] = this.#on.tables.look<{ error: string }>(
      'select error from runs_runs where id = ?',
      rootId,
    );
    const { message } = JSON.parse(root?.error ?? '{"message":""}') as { message: string };
    const unknown = this.#on.tables.look<{ run_id: string; name: string; error: string }>(
      "select run_id, name, error from runs_steps where status = 'failed' and run_id in (select id from runs_runs where root_id = ?)",
      rootId,
    );
    const places = new Set<string>();
    for (const { run_id, name, error } of unknown) {
      const run = this.runs.get(run_id);
      const said = JSON.parse(error) as { code: string; message: string };
      if (run?.errand === undefined || said.code !== 'NEXUS_OUTCOME_UNKNOWN') continue;
      const place = placeIn({ errand: run.errand, at: run.at }, name);
      if (place !== undefined && message.includes(said.message)) places.add(place);
    }
    this.#told.push(places);
  }

  /** The run of a job's call, where that is completed. */
  #doneFor(jobId: string): string | undefined {
    if (!jobId.startsWith('job')) return undefined;
    const [done] = this.#on.tables.look<{ id: string }>(
      "select id from runs_runs where status = 'completed' and start_key like ?",
      `%"${stepKey(jobId, CALL)}"%`,
    );
    return done?.id;
  }

  /** A finished call is made again only where its process was lost before its answer could be on record. */
  #called(call: ModelCall, earlier: readonly ModelCall[]): void {
    const { world } = this.#on;
    if (!call.wasOwner) {
      const run = this.runs.get(call.runId);
      const owner = run?.owner ? this.#workers.get(run.owner)?.name : undefined;
      world.wrong(
        `${call.process.name} pays for run ${call.runId}, which is ${owner ?? 'nobody'}’s (${run?.status})`,
      );
    }
    const takenSince = this.runs.get(call.runId)?.ownedSince ?? 0;
    for (const { answeredAt, process, wasOwnerThen, wasCutOffThen } of earlier) {
      if (answeredAt === undefined || !wasOwnerThen) continue;
      // How its answer was lost was looked at as it was made again first.
      if (earlier.some(({ startedAt }) => startedAt > answeredAt)) continue;
      // Nobody has heard of an answer to one that is cut off and loses its run meanwhile, though it may get it back.
      if (wasCutOffThen && takenSince > answeredAt) continue;
      const disturbedAt = this.#on.storeDisturbedAt(process);
      // One that was killed while it stood still was lost when it stopped.
      const lostAt = process.stoppedAt ?? process.goneAt ?? process.lastStopAt;
      // Who lives is taken for dead where its connection broke, and comes back a moment too late to say so.
      const isTakenOver = world.now - disturbedAt < TAKEN_OVER_MS;
      if (lostAt === undefined || lostAt < answeredAt) {
        if (!isTakenOver) {
          world.wrong(
            `a finished call of run ${call.runId} is made again, and its process was never lost (${process.name})`,
          );
        }
        continue;
      }
      const isDisturbed = disturbedAt >= answeredAt - 50;
      if (isDisturbed && lostAt <= disturbedAt) continue;
      const from = isDisturbed ? disturbedAt : answeredAt;
      if (lostAt - from > (isDisturbed ? DISTURBED_WINDOW_MS : WINDOW_MS)) {
        world.wrong(
          `a call of run ${call.runId} that was answered ${Math.round(lostAt - answeredAt)} ms before its process was lost is made again`,
        );
      }
    }
  }

  /** Once everything has ended that could. */
  end(): void {
    const { world, tables } = this.#on;
    for (const { id, status, error } of this.runs.values()) {
      if (!isOpen(status)) continue;
      const why = error === null ? '' : ` (${(JSON.parse(error) as { code: string }).code})`;
      world.wrong(`run ${id} never ended: it is ${status}${why}`);
    }
    for (const { run_id, n, top } of tables.look<{ run_id: string; n: number; top: number }>(
      // One that goes on from another begins behind the numbers of the steps that it kept.
      `select run_id, count(*) as n, max(seq) as top from runs_events
       where run_id in (select id from runs_runs where rerun_of is null) group by run_id`,
    )) {
      if (n !== top) world.wrong(`run ${run_id} has ${n} events, numbered up to ${top}`);
    }
    for (const part of PARTS) {
      const [left] = tables.look<{ n: number }>(
        `select count(*) as n from ${part} where run_id not in (select id from runs_runs)`,
      );
      if (left && left.n > 0) world.wrong(`${left.n} rows of ${part} are of runs that are forgotten`);
    }
    if (world.wrongs.length > 0) return;
    this.#countMoney();
    this.#countUnknown();
  }

  /**
   * On record is at least what each call cost that a run was answered, and at most what the endpoints charged. What
   * lies between are calls that were interrupted: they are said to be unknown.
   */
  #countMoney(): void {
    const { world, tables, endpoints } = this.#on;
    const bounds = new Map<number, { least: number; most: number }>();
    for (const calls of endpoints.calls.values()) {
      for (const [at, { runId, tokens }] of calls.entries()) {
        const run = this.runs.get(runId);
        if (run?.errand === undefined) continue;
        const bound = bounds.get(run.errand) ?? { least: 0, most: 0 };
        const isAnswered = calls.some(({ answeredAt }) => answeredAt !== undefined);
        if (at === 0 && isAnswered && run.status === 'completed') bound.least += tokens;
        bound.most += tokens;
        bounds.set(run.errand, bound);
      }
    }
    const booked = new Map<number, number>();
    for (const { run_id, tokens } of tables.look<{ run_id: string; tokens: number }>(
      'select run_id, tokens from runs_spending where is_settled = 1 and is_kept = 0',
    )) {
      const errand = this.runs.get(run_id)?.errand;
      if (errand !== undefined) booked.set(errand, (booked.get(errand) ?? 0) + tokens);
    }
    for (const [errand, { least, most }] of bounds) {
      const tokens = booked.get(errand) ?? 0;
      if (tokens < least || tokens > most) {
        world.wrong(
          `errand ${errand} has ${tokens} tokens on record: its runs were answered for ${least}, and charged ${most}`,
        );
      }
    }
  }

  /** Each call that was charged, and that nobody saw the end of, is said to be one of unknown cost, also once it was made again. */
  #countUnknown(): void {
    const { world, tables, endpoints } = this.#on;
    const unseen = new Map<string, number>();
    for (const calls of endpoints.calls.values()) {
      for (const { runId, answeredAt } of calls) {
        if (answeredAt === undefined) unseen.set(runId, (unseen.get(runId) ?? 0) + 1);
      }
    }
    for (const [runId, count] of unseen) {
      if (!this.runs.has(runId)) continue;
      const [said] = tables.look<{ n: number | null }>(
        'select sum(interrupted + 1 - is_settled) as n from runs_spending where run_id = ?',
        runId,
      );
      const n = said?.n ?? 0;
      if (n < count)
        world.wrong(`run ${runId} has ${count} calls that nobody saw the end of, and says so of ${n}`);
    }
  }
}

interface QuestionColumns {
  readonly message: string | null;
  readonly digest: string | null;
  readonly answer: string;
}

interface RunColumns {
  readonly id: string;
  readonly root_id: string;
  readonly parent_id: string | null;
  readonly parent_step: string | null;
  readonly start_key: string | null;
  readonly kind: string;
  readonly title: string;
  readonly status: string;
  readonly owner: string | null;
  readonly error: string | null;
  readonly place: string | null;
  readonly input: string | null;
}

const FAULTS_OF_THE_GROUND = new Set([
  'NEXUS_STORE_UNAVAILABLE',
  'NEXUS_INTERNAL',
  'NEXUS_RUN_CHANGED',
  'NEXUS_SHUTTING_DOWN',
]);

function isAway(process: SimulatedProcess | undefined): boolean {
  return process !== undefined && (process.isGone || process.isStopped || process.cutOffAt !== undefined);
}

/** What is kept of a run, and goes with it. */
const PARTS = ['runs_steps', 'runs_events', 'runs_questions', 'runs_spending', 'runs_calls', 'runs_blobs'];

const isOfJob = ({ rootId }: WatchedRun) => rootId.startsWith('job_');

/** Known, and not ended. */
function isOpen(status: string): boolean {
  return status !== '' && !isEnd(status);
}

function isEnd(status: string): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** A run says in its input what it does and for whose errand; a job says for whose in its arguments. */
function inputOf({ input }: RunColumns): {
  errand: number | undefined;
  program: Program | undefined;
  at: string | undefined;
} {
  const read = JSON.parse(input ?? 'null') as {
    errand?: number;
    program?: Program;
    at?: string;
    arguments?: { errand?: number };
  } | null;
  return { errand: read?.errand ?? read?.arguments?.errand, program: read?.program, at: read?.at };
}
