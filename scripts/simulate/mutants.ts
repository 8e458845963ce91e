/** A fault put back into the engine's source, to see that the simulator finds it. */
export interface Mutant {
  readonly name: string;
  /** What broke by it, for people. */
  readonly fault: string;
  /** Each must be found in its file, once. */
  readonly patches: readonly { readonly file: string; readonly from: string; readonly to: string }[];
  /** From where on it is looked for, if not from the first seed: few worlds show it. */
  readonly fromSeed?: number | undefined;
}

export const mutants: readonly Mutant[] = [
  {
    name: 'child-left-behind',
    fault: 'of a family that processes died with, the job is taken without the run that it waits for',
    patches: [
      {
        file: 'record/due.ts',
        from: 'sql<boolean>`(run.root_id = ',
        to: 'sql<boolean>`(run.id = ',
      },
      {
        file: 'record/claiming.ts',
        from: ".where('id', 'in', due.select('run.id'))",
        to: ".where('id', 'in', due.select('run.id').orderBy('run.created_at').orderBy('run.id').limit(1))",
      },
    ],
  },
  {
    name: 'own-steps-only',
    fault: 'progress counts the steps of the first run alone, and not those of its children',
    patches: [
      {
        file: 'record/families.ts',
        from: 'join member on child.parent_id = member.id)',
        to: 'join member on child.parent_id = member.id where 1 = 0)',
      },
    ],
  },
  {
    name: 'end-is-no-step',
    fault: 'progress counts no run of the family that has ended without a step more',
    patches: [
      {
        file: 'record/families.ts',
        from: "union select place, null from member where status = 'completed')",
        to: 'union select place, null from member where 1 = 0)',
      },
    ],
    fromSeed: 20_001,
  },
  {
    name: 'untold-is-crashed',
    fault: 'deaths count for a job whose run is over, and that has only to tell of it',
    patches: [
      {
        file: 'record/untold-jobs.ts',
        from: '  // One that is under way before those that are over.\n',
        to: '  if (runs.every(({ ended_at: ended }) => ended !== null)) return undefined;\n',
      },
    ],
  },
  {
    name: 'gone-tool-fails',
    fault: 'a job that was left fails where the plugin of its tool is gone',
    patches: [
      {
        file: 'worker/perform.ts',
        from: 'if (known.isElsewhere?.(run, input) && ',
        to: 'if (known.isElsewhere?.(run, input) && 1 > 2 && ',
      },
    ],
  },
  {
    name: 'gone-tool-spins',
    fault: 'a job whose tool is of a plugin that is gone is taken again and again by a process without it',
    patches: [
      { file: 'record/due.ts', from: '.$if(lacking.length > 0, ', to: '.$if(lacking.length > 1_000, ' },
    ],
  },
  {
    name: 'no-patience',
    fault: 'what fails by the store is not made again once it is back',
    patches: [
      {
        file: 'record/patience.ts',
        from: 'if (!isAway(error)) throw error;',
        to: 'if (isAway(error) || true) throw error;',
      },
    ],
  },
  {
    name: 'no-stray-look',
    fault: 'the answer to the COMMIT of a start is lost, and nobody compares rows with instances',
    patches: [
      {
        file: 'worker/hands.ts',
        from: '      await takeUpStrays(owned ?? []);\n',
        to: '      void takeUpStrays;\n',
      },
    ],
  },
  {
    name: 'no-lease',
    fault: 'a process that is stopped keeps its runs for as long as its connection stands',
    patches: [{ file: 'worker/presence.ts', from: 'if (!isRecent) return false;', to: 'void isRecent;' }],
  },
  {
    name: 'no-token',
    fault: 'what an earlier owner writes is not refused',
    patches: [
      {
        file: 'record/fence.ts',
        from: "    .where('owner', '=', slot('owner'))\n    .where('epoch', '=', slot('epoch'))\n",
        to: '',
      },
    ],
  },
  {
    name: 'no-fence-before-paying',
    fault: 'a process that was stopped pays for runs that are another’s',
    patches: [
      {
        file: 'record/paying.ts',
        from: '    await holdRun(trx, on, token);\n    // Reserved already',
        to: '    // Reserved already',
      },
    ],
  },
  {
    name: 'answer-not-kept',
    fault: 'the answer of a model is on record only with its step',
    patches: [
      {
        file: 'record/paying.ts',
        from: 'sql<string | null>`case when epoch = ',
        to: 'sql<string | null>`case when -2 = ',
      },
      {
        file: 'record/paying.ts',
        from: '  await on.store.ahead(keepCall(on, arrived));\n',
        to: '  void [keepCall, on, arrived];\n',
      },
    ],
  },
  {
    name: 'interrupted-costs-most',
    fault: 'a call that was interrupted counts as the most that it may cost',
    patches: [
      {
        file: 'record/paying.ts',
        from: 'answer: null,\n      epoch: sql',
        to: 'answer: null,\n      is_settled: 1,\n      epoch: sql',
      },
    ],
  },
  {
    name: 'interrupted-costs-nothing',
    fault: 'a call that was interrupted is on record as one that cost nothing',
    patches: [
      {
        file: 'execution/step-ledger.ts',
        from: 'if (spent.isUnknown && instance.signal.aborted) return;',
        to: '',
      },
      {
        file: 'execution/step-ledger.ts',
        from: 'if (spent.isUnknown) await leaveCall',
        to: 'if (1 > 2) await leaveCall',
      },
    ],
  },
  {
    name: 'repetition-stands-for-all',
    fault: 'a call that was interrupted and made again is on record as one that was made once',
    patches: [
      {
        file: 'record/paying.ts',
        from: 'then runs_spending.interrupted + 1',
        to: 'then runs_spending.interrupted',
      },
    ],
  },
  {
    name: 'in-flight-is-spent',
    fault: 'calls in flight count as spent, and a run pauses far below its cap',
    patches: [{ file: 'execution/step-ledger.ts', from: 'if (!reserving.mayFit) throw', to: 'throw' }],
  },
  {
    name: 'any-yes',
    fault: 'a question about something exact takes a yes that does not name it',
    patches: [
      {
        file: 'record/questions.ts',
        from: "digest === undefined || (named === undefined ? answer.action !== 'accept' : namesDigest(digest, named))",
        to: "digest === undefined || named === undefined || answer.action !== 'accept' || namesDigest(digest, named)",
      },
    ],
  },
  {
    name: 'spent-for-good',
    fault: 'a keyed call that met its budget answers the failure once the budget is raised',
    patches: [
      {
        file: 'jobs/start-job.ts',
        from: "(isWorthAnotherTry(row) || code === 'NEXUS_BUDGET_EXCEEDED')",
        to: 'isWorthAnotherTry(row)',
      },
    ],
  },
  {
    name: 'own-end-is-failure',
    fault: 'the end of a server fails a step that was about to start a run',
    patches: [
      {
        file: 'execution/step-tools.ts',
        from: "new Set(['NEXUS_SHUTTING_DOWN', 'NEXUS_STORE_UNAVAILABLE'])",
        to: "new Set(['NEXUS_STORE_UNAVAILABLE'])",
      },
    ],
  },
  {
    name: 'job-never-rests',
    fault: 'a family with a job between a step and a run that waits is never parked',
    patches: [
      {
        file: 'worker/families.ts',
        from: 'return isBegun ? CALL : undefined;',
        to: 'return isBegun ? undefined : undefined;',
      },
    ],
  },
  {
    name: 'deaths-are-attempts',
    fault: 'attempts that ended with their process use up those that a step’s policy allows',
    patches: [
      {
        file: 'execution/step-work.ts',
        from: 'options.retry, now - cutShort))',
        to: 'options.retry, now - timesAway))',
      },
    ],
  },
  {
    name: 'room-for-all',
    fault: 'more runs of a project go on than may',
    patches: [{ file: 'record/room.ts', from: 'return most - Number(going);', to: 'return most;' }],
  },
  {
    name: 'any-place',
    fault: 'work that lies on one machine goes on at another',
    patches: [
      {
        file: 'record/due.ts',
        from: "    .where(({ eb, or }) => or([eb('run.place', 'is', null), eb('run.place', '=', home.machine)]))\n    .where(\n",
        to: '    .where(\n',
      },
      {
        file: 'record/due.ts',
        from: "      .where(({ eb, or }) => or([eb('place', 'is', null), eb('place', '=', home.machine)]))\n",
        to: '',
      },
    ],
  },
  {
    name: 'half-forgotten',
    fault: 'a run that is forgotten leaves its events',
    patches: [{ file: 'record/forgetting.ts', from: "  'runs_events',\n", to: '' }],
  },
  {
    name: 'spins-when-full',
    fault: 'a process that has no room looks again at once, for as long as runs are queued',
    patches: [
      {
        file: 'worker/claims.ts',
        from: '    capacity.weigh(isProjectFull);\n',
        to: '    capacity.weigh(isProjectFull);\n    if (capacity.isFull) isTickWanted = true;\n',
      },
    ],
  },
  {
    name: 'parked-unread',
    fault: 'a run is parked before it has read what came for it, and claimed for that again, without end',
    patches: [
      {
        file: 'execution/run-instance.ts',
        from: 'await this.writer.read(() => this.look());',
        to: 'await this.look();',
      },
    ],
  },
  {
    name: 'parked-between-steps',
    fault:
      'a run is parked between two of its steps, while it waits for the time of a question that was answered',
    patches: [
      {
        file: 'execution/run-instance.ts',
        from: 'return this.writer.isIdle && !this.delivery.isBusy;',
        to: 'return this.writer.isIdle;',
      },
      {
        file: 'execution/run-context.ts',
        from: 'const sooner = instance.doing.untilAnswered(name);',
        to: 'const sooner = new Promise<void>(() => {});',
      },
      {
        file: 'record/leaving.ts',
        from: 'const mayGoOn = open.length === 0 || ',
        to: 'const mayGoOn = ',
      },
    ],
  },
  {
    name: 'parked-unminded',
    fault: 'who parks a run does not look when it comes due again',
    patches: [
      {
        file: 'worker/hands.ts',
        from: 'if (capacity.isFull || instance.isLost || instance.isLeft) tickSoon();',
        to: 'if (capacity.isFull || instance.isLost) tickSoon();',
      },
    ],
  },
  {
    name: 'answers-only-asked',
    fault: 'an answer that comes before its question is forgotten when that is asked',
    patches: [
      {
        file: 'record/questions.ts',
        from: 'takeEarly(isOther ? undefined : early, {',
        to: 'takeEarly(isOther || early?.message === null ? undefined : early, {',
      },
    ],
  },
  {
    name: 'early-unread',
    fault: 'an answer that comes before its question is taken, whatever it says',
    patches: [
      {
        file: 'record/questions.ts',
        from: 'const fault = isEarly ? faultOf(',
        to: 'const fault = early.status === "open" ? faultOf(',
      },
    ],
  },
  {
    name: 'early-yes',
    fault: 'a yes to something exact is taken before anybody was shown it',
    patches: [
      {
        file: 'record/questions.ts',
        from: "if (isEarly && question.digest !== undefined && answer.action === 'accept') return { fault: UNSEEN };",
        to: "if (isEarly && question.digest !== undefined && answer.action === 'accept') return { answer };",
      },
    ],
  },
  {
    name: 'any-kind',
    fault: 'a process goes on with runs of a plugin that it is without',
    patches: [
      {
        file: 'record/due.ts',
        from: "    .where(({ eb, or, and }) =>\n      or(kinds.map(({ name, version }) => and([eb('run.kind', '=', name), eb('run.version', '=', version)]))),\n    )\n",
        to: '',
      },
      {
        file: 'record/due.ts',
        from: "mine.select('id').where('wake_at', '<=', now)}",
        to: "db.selectFrom('runs_runs').select('id').where('status', 'in', ['queued', 'waiting']).where('wake_at', '<=', now)}",
      },
    ],
  },
  {
    name: 'gone-hold-up-all',
    fault:
      'a run of a plugin that is gone is due, and what comes due after it is looked for only now and then',
    patches: [
      {
        file: 'record/due.ts',
        from: "\n      .where(({ eb, or, and }) =>\n        or(kinds.map(({ name, version }) => and([eb('kind', '=', name), eb('version', '=', version)]))),\n      );\n",
        to: ';\n',
      },
      {
        file: 'record/due.ts',
        from: "known.where('wake_at', '>', now)}) as",
        to: 'known}) as',
      },
      {
        file: 'record/due.ts',
        from: 'const nextInMs = first === Number.POSITIVE_INFINITY ? undefined : first;',
        to: 'const nextInMs = first === Number.POSITIVE_INFINITY || first < 0 ? undefined : first;',
      },
    ],
  },
  {
    name: 'keeps-too-much',
    fault: 'of ended runs more are kept than may be, in number and in bytes',
    patches: [
      {
        file: 'record/forgetting.ts',
        from: 'if (size.families <= families && size.bytes <= bytes) break;',
        to: 'if (size.families <= 2 * families) break;',
      },
    ],
  },
  {
    name: 'newest-go-first',
    fault: 'where too much is kept, the newest of it goes',
    patches: [
      {
        file: 'record/forgetting.ts',
        from: 'oldest.sort((a, b) => a.lastNeeded - b.lastNeeded)',
        to: 'oldest.sort((a, b) => b.lastNeeded - a.lastNeeded)',
      },
    ],
  },
  {
    name: 'fresh-go-too',
    fault: 'where too much is kept, what has only just ended goes as well',
    patches: [
      {
        file: 'record/forgetting.ts',
        from: 'const FRESH_MS = 3_600_000;',
        to: 'const FRESH_MS = 0;',
      },
    ],
  },
  {
    name: 'rerun-pays-again',
    fault: 'a run that is run again from a step does those before it again',
    patches: [
      {
        file: 'record/keep-run.ts',
        from: '  await keepSteps(trx, { from, to: to.id, steps: kept });\n',
        to: '  void keepSteps;\n',
      },
    ],
  },
  {
    name: 'command-forgets',
    fault: 'a command that waits for a run does not see to it',
    patches: [
      { file: 'waiting/wait-for-run.ts', from: 'if (!isEnded) watched.follow(rootId);\n', to: '' },
      { file: 'worker/hands.ts', from: '    parts.onTaken(rootId);\n', to: '' },
    ],
  },
  {
    name: 'called-begun-anew',
    fault: 'a step that is done again, as its run goes on, begins the run anew that its call had begun',
    patches: [
      {
        file: 'record/begun-before.ts',
        from: 'const before = run ? await runsBefore(on.db, on, run.id) : [];',
        to: 'const before: string[] = [];',
      },
    ],
  },
  {
    name: 'child-begun-anew',
    fault: 'a run that goes on begins its children anew that had not ended',
    patches: [
      {
        file: 'record/children.ts',
        from: 'const before = parent.rerun_of === null ? undefined :',
        to: 'const before = parent.id !== null ? undefined :',
      },
    ],
  },
  {
    name: 'within-untold',
    fault: 'what nobody knows the outcome of within a run that goes on is done again, and nobody was told',
    patches: [
      {
        file: 'record/kept-steps.ts',
        from: "return run.status === 'failed' ? stoodBeforeRefused(run) : endedOrUnknown;",
        to: 'return stoodWell;',
      },
    ],
  },
  {
    name: 'after-failure-anew',
    fault: 'what a run did after a failure that it got over is done anew when it goes on',
    patches: [
      {
        file: 'execution/run-instance.ts',
        from: 'if (this.run.rerun_of === null) return undefined;',
        to: 'if (this.#before === undefined) return undefined;',
      },
    ],
  },
  {
    name: 'answers-end-with-step',
    fault:
      'the answer of a model is gone from the record with the end of its step, also where that began after a failure',
    patches: [{ file: 'record/steps.ts', from: 'answersStay: isDone });', to: 'answersStay: false });' }],
  },
  {
    name: 'over-begun-anew',
    fault: 'a run that came to its end after a failure is begun anew when the one above it goes on',
    patches: [
      {
        file: 'record/begun-before.ts',
        from: 'const isSame = row.kind === kind && row.input === input;',
        to: "const isSame = row.kind === kind && row.input === input && row.status !== 'completed';",
      },
    ],
  },
  {
    name: 'one-told-of-several',
    fault: 'of several steps that nobody knows the outcome of, the run tells of the one that ended it',
    patches: [
      {
        file: 'record/all-unknown.ts',
        from: 'if (untold.length === 0) return error;',
        to: 'if (untold.length >= 0) return error;',
      },
    ],
  },
];
