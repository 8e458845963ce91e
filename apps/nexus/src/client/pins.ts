import type { HeldChange, Pins } from '@nexus/downstream';
import { loadConfig } from '../config/load-config.ts';
import { ask } from './ask.ts';
import { withOwnNexus } from './with-own-nexus.ts';

/** What is accepted: everything, one toolbox, one server of it, one tool of that. */
export type PinSelection = readonly [
  toolbox?: string | undefined,
  server?: string | undefined,
  tool?: string | undefined,
];

/** The changes that are held back, told by the running server or read from its store. */
export async function heldChanges(config: string | undefined): Promise<readonly HeldChange[]> {
  const answer = await ask('pins', config);
  // The owner is of this build, so its answer is of this type.
  if (answer) return answer.held as readonly HeldChange[];
  return withOwnPins(config, (pins) => pins.held());
}

/** Accepts changes; a running server has them at once. */
export async function acceptChanges(
  config: string | undefined,
  [toolbox, server, tool]: PinSelection,
): Promise<readonly HeldChange[]> {
  const details = {
    ...(toolbox === undefined ? {} : { toolbox }),
    ...(server === undefined ? {} : { server }),
    ...(tool === undefined ? {} : { tool }),
  };
  const answer = await ask('accept-pins', config, details);
  if (answer) return answer.accepted as readonly HeldChange[];
  return withOwnPins(config, (pins) => pins.accept(toolbox, server, tool));
}

async function withOwnPins<Result>(
  config: string | undefined,
  work: (pins: Pins) => Promise<Result>,
): Promise<Result> {
  return withOwnNexus(await loadConfig({ config }), ({ downstreams }) => work(downstreams.pins));
}
