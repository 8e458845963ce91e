import { defineRun, type Host, isToolError, type RunContext, ToolError } from '@nexus/plugin-sdk';
import { counted } from '@nexus/primitives';
import { modelsOf } from '../ballots/seats.ts';
import { spread } from '../ballots/spread.ts';
import type { ConsensusOptions } from '../options.ts';
import type { OpenDiff, ReviewedFile } from './diff/open-diff.ts';
import { checkedChange } from './facts/check-change.ts';
import { type CheckResult, runCheck } from './facts/run-check.ts';
import type { Finding } from './findings/finding.ts';
import { proveFindings } from './findings/prove-findings.ts';
import { verify } from './findings/verify.ts';
import { toComments } from './github/comments.ts';
import { openGitHub } from './github/github.ts';
import type { Change } from './prompts.ts';
import { type Read, readChunk } from './read-chunk.ts';
import type { Room } from './reading/room.ts';
import { decide, type ReviewInput, type ReviewOutput } from './review.ts';
import { depth, depthBefore } from './risk/risk.ts';
import { reviewSummary } from './summary.ts';

type Context = RunContext<{ readonly options: ConsensusOptions; readonly room: Room }>;

/** At once; providers hold their own limits beside it. */
const CONCURRENCY = 8;
/** For all that is read of the diff; an honest one of that length takes two seconds. */
const READING_MS = 15_000;
/** As much as the tool takes; what GitHub sends is held to it too. */
export const MAX_DIFF_CHARS = 2_000_000;

/** Read by several reviewers, united, each finding held against the code, then judged apart from its finder. */
export const reviewRun = inVersion(5);

/**
 * As reviews on record go on: in the first version no finding was looked up and run, in the first two usual code had two
 * readers, until the fourth reviewers opened nothing, who checked a claim was not told what it names in vain, and the
 * project's commands were not run on both sides of the change, and until the fifth a slip in a quote lost its claim.
 */
export const reviewRunsBefore = [inVersion(1), inVersion(2), inVersion(3), inVersion(4)];

function inVersion(version: 1 | 2 | 3 | 4 | 5) {
  return defineRun({
    name: 'consensus.review',
    version,
    async run(input: ReviewInput, run: Context): Promise<ReviewOutput> {
      const change = await changeOf(input, run);
      const { diff } = change;
      const read = run.state.room.visit({ signal: run.signal, limitMs: READING_MS });
      const { files, skipped, chunks } = await read('openDiff', diff);
      const inProject = await run.step(
        'project',
        () => {
          const places = placesOf(run.host);
          return places === undefined ? [] : read('filesInProject', { diff, ...places });
        },
        { title: 'looks which files the project holds so' },
      );
      const isWhole = holdsWhole(files, inProject);
      const onBoth = isWhole && version > 3 ? await checkedChange(run, diff) : [];
      const checks = isWhole ? [...onBoth, ...(await checksOf(run, onBoth))] : [];
      const { reads, models } = await readAll(chunks, {
        change,
        run,
        teams: version < 3 ? depthBefore : depth,
        canRead: version > 3 && isWhole,
      });
      const claimed = reads.map(({ claims, reviewer, model }) => ({ claims, by: { reviewer, model } }));
      const placed = await read('placeClaims', { diff, claimed, takesSlips: version > 4 });
      const found = placed.flatMap((each) => each.found);
      const judging = {
        codeAround: (places: readonly Finding[]) => read('codeAround', { diff, places }),
        inProject,
        models,
      };
      const judged = await verify(run, found, {
        ...judging,
        checks,
        areNamesLookedUp: version > 3 && isWhole,
      });
      const proven =
        version === 1
          ? { findings: judged.findings, dropped: [] }
          : await proveFindings(judged.findings, run, { ...judging, diff, checks, isWhole });
      const outcome = {
        findings: proven.findings,
        dropped: [...placed.flatMap(({ dropped }) => dropped), ...judged.dropped, ...proven.dropped],
        files: files.map(({ path, risk }) => ({ file: path, ...risk })),
        skipped,
        unreviewed: reads.flatMap(({ reason, reviewer, chunk }) =>
          reason === undefined ? [] : [{ files: chunk.files, reviewer, reason }],
        ),
        checks,
        reviewers: distinctReaders(reads),
      };
      const decided = { ...outcome, ...decide(outcome, judged.untold) };
      const posted = await postFindings(decided.findings, { input, headSha: change.headSha, run });
      const output = { ...decided, ...(posted === undefined ? {} : { posted }) };
      return { ...output, summary: reviewSummary(output) };
    },
  });
}

async function changeOf({ title, description, diff, pullRequest }: ReviewInput, run: Context) {
  if (diff !== undefined || pullRequest === undefined)
    return { title, description, diff: diff ?? '', headSha: '' };
  const fetched = await run.step(
    'fetch',
    ({ signal }) => openGitHub(run.host.fetching, signal).read(pullRequest),
    { title: 'fetches the pull request', retry: { attempts: 3 } },
  );
  if (fetched.diff.length > MAX_DIFF_CHARS) {
    const text = `The diff of ${pullRequest.repo}#${pullRequest.number} has ${fetched.diff.length} characters, and at most ${MAX_DIFF_CHARS} are reviewed. Give the parts that matter as prDiff.`;
    throw new ToolError('NEXUS_INVALID_ARGUMENTS', text, { detail: { characters: fetched.diff.length } });
  }
  return {
    ...fetched,
    title: title === '' ? fetched.title : title,
    description: description === '' ? fetched.description : description,
  };
}

/** Whether the project holds the whole change: only then is anything run. */
/** A diff is reviewed without a project, too: none of its files stand there then. */
function placesOf(host: Host): Pick<Host, 'projectRoot' | 'privatePaths'> | undefined {
  try {
    const { projectRoot, privatePaths } = host;
    return { projectRoot, privatePaths };
  } catch (error) {
    if (!isToolError(error)) throw error;
    return undefined;
  }
}

function holdsWhole(files: readonly ReviewedFile[], inProject: readonly string[]): boolean {
  const left = files.filter(({ isDeleted }) => !isDeleted);
  return left.length > 0 && left.every(({ path }) => inProject.includes(path));
}

/** The project's own, but for those that are done. */
async function checksOf(run: Context, done: readonly CheckResult[]): Promise<CheckResult[]> {
  const left = run.state.options.checks.filter(({ name }) => !done.some((each) => each.name === name));
  return run.parallel(
    left.map(
      (check) => () =>
        run.step(
          `check ${check.name}`,
          ({ signal }) => runCheck(check, { cwd: run.host.projectRoot, signal, programs: run.host.programs }),
          {
            title: `runs ${check.name}`,
          },
        ),
    ),
    // They share the project's files.
    { concurrency: 1 },
  );
}

async function readAll(
  chunks: OpenDiff['chunks'],
  { change, run, teams, canRead }: { change: Change; run: Context; teams: typeof depth; canRead: boolean },
): Promise<{ reads: Read[]; models: readonly string[] }> {
  const { options } = run.state;
  const models = await modelsOf(run);
  const readings = chunks.flatMap((chunk, index) => {
    const team = teams[chunk.level];
    const seats = spread(models, team.length);
    return team.map((reviewer, seat) => ({ reviewer, model: seats[seat] ?? '', chunk, at: index + 1 }));
  });
  const reads = await run.parallel(
    readings.map(
      (reading) => () =>
        readChunk(run, reading, {
          change,
          checks: options.checks.map(({ name }) => name),
          timeoutMs: options.ballotTimeoutMs,
          canRead,
        }),
    ),
    { concurrency: CONCURRENCY },
  );
  const [first] = reads;
  if (first?.reason !== undefined && reads.every(({ reason }) => reason !== undefined)) {
    throw new ToolError(
      'NEXUS_MODEL_UNAVAILABLE',
      `No reviewer could read the change. The first: ${first.reason}`,
    );
  }
  return { reads, models };
}

function distinctReaders(reads: readonly Read[]): ReviewOutput['reviewers'] {
  const names = reads
    .filter(({ reason }) => reason === undefined)
    .map(({ reviewer, model }) => ({ reviewer, model }));
  return [...new Map(names.map((each) => [`${each.reviewer}\n${each.model}`, each])).values()];
}

/** Only what was verified, and only when asked. */
async function postFindings(
  findings: ReviewOutput['findings'],
  { input, headSha, run }: { input: ReviewInput; headSha: string; run: Context },
): Promise<ReviewOutput['posted']> {
  const { postComments, pullRequest } = input;
  if (!postComments || !pullRequest) return undefined;
  const comments = toComments(findings, run.host.secrets.redact);
  if (comments.length === 0) return { count: 0 };
  const body = `Review by Nexus: ${counted(comments.length, 'verified finding')}. Each was found by a model, held against the diff and checked by another reading; run ${run.id}.`;
  const url = await run.step(
    'post',
    ({ signal }) => openGitHub(run.host.fetching, signal).comment(pullRequest, { headSha, body, comments }),
    { title: 'posts the verified findings', input: { pullRequest, headSha, comments }, isRepeatable: false },
  );
  return { count: comments.length, url };
}
