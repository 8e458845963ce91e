import { isRecord } from '@nexus/core';
import { type Environment, ExpansionError, expandVariables } from './expansion/index.ts';
import type { RawConfig } from './raw-config.ts';

/** @returns the path of each server of a toolbox that needs a variable which the environment lacks */
export function serversInNeed({ toolboxes }: RawConfig, environment: Environment): string[][] {
  return entriesOf(toolboxes).flatMap(([toolbox, section]) =>
    entriesOf(isRecord(section) ? section.mcpServers : undefined).flatMap(([server, settings]) =>
      isComplete(settings, environment) ? [] : [['toolboxes', toolbox, 'mcpServers', server]],
    ),
  );
}

function isComplete(value: unknown, environment: Environment): boolean {
  try {
    expandVariables(value, environment);
    return true;
  } catch (error) {
    if (error instanceof ExpansionError) return false;
    throw error;
  }
}

function entriesOf(value: unknown): [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : [];
}
