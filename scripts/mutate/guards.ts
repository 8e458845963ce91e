/** The files that guard something, by package: what may pass, how much, for how long, and whose it is. */
const guards: Readonly<Record<string, readonly string[]>> = {
  'packages/locks': ['src/file-lock.ts', 'src/while-locked.ts'],
  'packages/primitives': [
    'src/bytes-up-to.ts',
    'src/canonical-json.ts',
    'src/cutting/beginning-of.ts',
    'src/cutting/json-blocks.ts',
    'src/cutting/share-out.ts',
    'src/cutting/shrink-json.ts',
    'src/is-inside.ts',
    'src/json-bounds.ts',
    'src/token-bucket.ts',
    'src/visible.ts',
  ],
  'packages/untrusted': [
    'src/patterns/load-patterns.ts',
    'src/patterns/pattern-fault.ts',
    'src/secrets/environment-secrets.ts',
    'src/secrets/find-secrets.ts',
    'src/secrets/is-equal-secret.ts',
    'src/secrets/looks-secret.ts',
    'src/secrets/redact-json.ts',
    'src/secrets/redact-settings.ts',
    'src/secrets/redact-text.ts',
    'src/secrets/redact-value.ts',
    'src/secrets/secret-names.ts',
    'src/secrets/written-secrets.ts',
    'src/shown/question-text.ts',
    'src/workers/thread-clock.ts',
    'src/workers/thread-pool.ts',
    'src/workers/thread.ts',
  ],
  'packages/store': [
    'src/connection-limits.ts',
    'src/file-holds.ts',
    'src/retention/sweep.ts',
    'src/take-over.ts',
    'src/take-turns.ts',
  ],
  'packages/engine': [
    'src/record/claiming.ts',
    'src/record/due.ts',
    'src/record/families.ts',
    'src/record/fence.ts',
    'src/record/keys-of-users.ts',
    'src/record/paying.ts',
    'src/record/spending.ts',
    'src/record/turns.ts',
    'src/record/workers.ts',
    'src/service/sufficient-cap.ts',
  ],
  'packages/core': [
    'src/call/admit.ts',
    'src/call/within-time.ts',
    'src/errors/plain-json.ts',
    'src/policy/in-flight.ts',
    'src/policy/permissions.ts',
    'src/policy/prerequisites.ts',
    'src/policy/rate-limit.ts',
    'src/policy/session-memory.ts',
    'src/registry/text-faults.ts',
    'src/registry/validate-call.ts',
    'src/timeouts/budgets.ts',
    'src/timeouts/deadline.ts',
    'src/timeouts/end-signal.ts',
  ],
  'packages/downstream': [
    'src/definitions/bounds.ts',
    'src/definitions/filter-names.ts',
    'src/definitions/read-definitions.ts',
    'src/leases/connection-lease.ts',
    'src/leases/in-flight.ts',
    'src/leases/leases.ts',
    'src/pins/pin-store.ts',
    'src/pins/pinned-fields.ts',
    'src/schema/budget.ts',
    'src/sessions/holdings.ts',
    'src/sessions/session-leases.ts',
  ],
  'packages/server': [
    'src/catalogue/owned.ts',
    'src/params/assert-params.ts',
    'src/params/check.ts',
    'src/results/limit-result.ts',
    'src/roots.ts',
  ],
  'packages/audit': [
    'src/chain/event.ts',
    'src/checkpoint/checkpoint.ts',
    'src/checkpoint/signed-note.ts',
    'src/checkpoint/statements.ts',
    'src/checkpoint/tree-root.ts',
    'src/commit/commitment.ts',
    'src/verify/compared-with-anchors.ts',
    'src/verify/openings.ts',
    'src/verify/read-checkpoints.ts',
    'src/verify/trail-events.ts',
    'src/verify/verify-trail.ts',
    'src/verify/walk-chain.ts',
  ],
  'packages/processes': ['src/end-group.ts', 'src/kept-output.ts', 'src/run-program.ts'],
  'packages/client': [
    'src/auth/guarded-fetch.ts',
    'src/http/bounded-fetch.ts',
    'src/mask-secrets.ts',
    'src/process/environment.ts',
    'src/session/attempt-signal.ts',
    'src/session/bounded-listener.ts',
  ],
  'packages/transports': [
    'src/http/auth/authenticate.ts',
    'src/http/guard.ts',
    'src/http/headers.ts',
    'src/http/read-body.ts',
    'src/ipc/runtime-dir.ts',
    'src/json-lines/split-lines.ts',
  ],
  'packages/plugins/code': ['src/roots/locate.ts', 'src/roots/targets.ts'],
  'apps/nexus': [
    'src/config/find.ts',
    'src/config/ownership.ts',
    'src/trust/code-variables.ts',
    'src/trust/describe-waiting.ts',
    'src/trust/loaded-files.ts',
    'src/trust/parts.ts',
    'src/trust/program-files.ts',
    'src/trust/read-command.ts',
    'src/trust/server-part.ts',
    'src/trust/trust-record.ts',
    'src/trust/trust.ts',
  ],
};

/** Where all that reaches a file takes minutes for each mutant: the test files that are to hold it. */
const testsOf: Readonly<Record<string, readonly string[]>> = {
  'apps/nexus/src/config/ownership.ts': ['src/config/ownership.test.ts'],
  'apps/nexus/src/trust/code-variables.ts': ['src/trust/what-is-seen.test.ts'],
  'apps/nexus/src/trust/trust-record.ts': ['src/trust/trust-record.test.ts'],
  'apps/nexus/src/trust/trust.ts': ['src/trust/trust.test.ts'],
  'packages/audit/src/chain/event.ts': ['src/chain/event.test.ts'],
  'packages/audit/src/checkpoint/signed-note.ts': ['src/checkpoint/signed-note.test.ts'],
  'packages/audit/src/checkpoint/tree-root.ts': ['src/checkpoint/tree-root.test.ts'],
  'packages/audit/src/verify/walk-chain.ts': ['src/verify/walk-chain.test.ts'],
  'packages/core/src/timeouts/deadline.ts': ['src/timeouts/deadline.test.ts'],
  'packages/downstream/src/leases/connection-lease.ts': ['src/leases/leases.test.ts'],
  'packages/downstream/src/leases/in-flight.ts': ['src/leases/in-flight.test.ts'],
  'packages/downstream/src/leases/leases.ts': ['src/leases/leases.test.ts'],
  'packages/downstream/src/pins/pin-store.ts': ['src/pins/pins-of-one-machine.test.ts'],
  'packages/downstream/src/sessions/holdings.ts': ['src/sessions/holdings.test.ts'],
  'packages/downstream/src/sessions/session-leases.ts': ['src/sessions/session-leases.test.ts'],
  'packages/engine/src/record/claiming.ts': ['src/record/claiming.test.ts'],
  'packages/engine/src/record/due.ts': ['src/record/due.test.ts'],
  'packages/engine/src/record/families.ts': ['src/record/families.test.ts'],
  'packages/engine/src/record/fence.ts': ['src/record/fence.test.ts'],
  'packages/engine/src/record/keys-of-users.ts': ['src/record/keys-of-users.test.ts'],
  'packages/engine/src/record/paying.ts': ['src/record/paying.test.ts'],
  'packages/engine/src/record/spending.ts': ['src/record/spending.test.ts'],
  'packages/engine/src/record/turns.ts': ['src/record/turns.test.ts'],
  'packages/engine/src/record/workers.ts': ['src/record/workers.test.ts'],
  'packages/engine/src/service/sufficient-cap.ts': ['src/service/sufficient-cap.test.ts'],
  'packages/locks/src/file-lock.ts': ['src/file-lock.test.ts'],
  'packages/locks/src/while-locked.ts': ['src/while-locked.test.ts'],
  'packages/primitives/src/visible.ts': ['src/visible.test.ts'],
  'packages/server/src/catalogue/owned.ts': ['src/catalogue/owned.test.ts'],
  'packages/store/src/connection-limits.ts': ['src/connection-settings.test.ts'],
  'packages/transports/src/http/guard.ts': ['src/http/guard.test.ts'],
  'packages/untrusted/src/secrets/redact-value.ts': ['src/secrets/redact-value.test.ts'],
};

/** A guarded file: its package, and its path within. */
export interface Guard {
  readonly folder: string;
  readonly file: string;
  /** Without any, all tests of the package that reach it. */
  readonly tests: readonly string[];
}

/** Every guarded file whose path, from the repository's top, has one of `wanted` in it; without any, all. */
export function guardsFor(wanted: readonly string[]): Guard[] {
  return Object.entries(guards).flatMap(([folder, files]) =>
    files
      .map((file) => ({ folder, file, tests: testsOf[`${folder}/${file}`] ?? [] }))
      .filter((guard) => wanted.length === 0 || wanted.some((part) => pathOf(guard).includes(part))),
  );
}

export function pathOf({ folder, file }: Pick<Guard, 'folder' | 'file'>): string {
  return `${folder}/${file}`;
}
