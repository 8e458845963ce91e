import { readFileSync } from 'node:fs';
import { maskText } from '@nexus/untrusted/secrets';
import { ConfigError } from './config-fault.ts';
import { parseJson } from './parse-json.ts';
import { isRawConfig, type RawConfig } from './raw-config.ts';

/**
 * Reads a config file; JSON is YAML too, so that one parser tells the faults of both.
 * @throws {ConfigError} when the file can't be read or does not parse, with line and column
 */
export async function readConfigFile(file: string): Promise<RawConfig> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(file, [{ path: '', message: `can't be read: ${(error as Error).message}` }]);
  }
  const raw = parseJson(text.replace(/^\uFEFF/, '')) ?? (await parseYaml(text, file));
  if (!isRawConfig(raw)) throw new ConfigError(file, [{ path: '', message: 'must hold an object' }]);
  return raw;
}

async function parseYaml(text: string, file: string): Promise<unknown> {
  const { parse, YAMLParseError } = await import('./yaml.ts');
  try {
    return parse(text.replace(/^\uFEFF/, ''), { uniqueKeys: true }) ?? {};
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    // Who writes JSON is told in JSON's words, though the reader of YAML read it.
    const fault = file.endsWith('.json') ? (await import('./json-fault.ts')).jsonFault(text) : undefined;
    const { message, place } = fault ?? { message: error.message.trim(), place: undefined };
    throw new ConfigError(file, [{ path: '', message: maskText(message), place }]);
  }
}

/** The same faults, each with where it stands in the file. */
export async function withPlaces(error: ConfigError, file: string): Promise<ConfigError> {
  if (error.source !== file) return error;
  const { faultPlaces } = await import('./fault-places.ts');
  const placeOf = faultPlaces(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  const faults = error.faults.map((fault) => ({ ...fault, place: fault.place ?? placeOf(fault.path) }));
  return new ConfigError(file, faults);
}
