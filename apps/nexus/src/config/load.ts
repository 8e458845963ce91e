import { boundsFault } from '@nexus/primitives';
import { maskText } from '@nexus/untrusted/secrets';
import { ConfigError, SHOWN_FAULTS } from './config-fault.ts';
import { configText } from './config-text.ts';
import { parseJson } from './parse-json.ts';
import { isRawConfig, type RawConfig } from './raw-config.ts';
import type { YAMLParseError } from './yaml.ts';

/** What may open a level in YAML, wherever it stands: a parser needs a square of the depth in time. */
const OPENING = /[[{]|[-?](?=\s)/g;
const MAX_OPENINGS = 20_000;

/**
 * Reads a config file; JSON is YAML too, so that one parser tells the faults of both. JSON may have comments and
 * trailing commas, as editors write it.
 * @throws {ConfigError} when the file can't be read or does not parse, with line and column
 */
export async function readConfigFile(file: string): Promise<RawConfig> {
  return configOf(configText(file), file);
}

/**
 * The same of its text, wherever that is from.
 * @throws {ConfigError} when it does not parse, with line and column
 */
export async function configOf(text: string, file: string): Promise<RawConfig> {
  const tooMuch = boundsFault(text) ?? openingsFault(text);
  if (tooMuch !== undefined) throw new ConfigError(file, [{ path: '', message: tooMuch }]);
  const raw = parseJson(text.replace(/^\uFEFF/, '')) ?? (await parseYaml(await asYaml(text, file), file));
  if (!isRawConfig(raw)) throw new ConfigError(file, [{ path: '', message: 'must hold an object' }]);
  return raw;
}

async function parseYaml(text: string, file: string): Promise<unknown> {
  // The reader of YAML would take `{"limits": }` for a setting.
  const fault =
    isJson(file) && text.trim() !== '' ? (await import('./json-fault.ts')).jsonFault(text) : undefined;
  if (fault) throw new ConfigError(file, [{ path: '', ...fault, message: maskText(fault.message) }]);
  const { parse, YAMLParseError: ParseError } = await import('./yaml.ts');
  try {
    return parse(text, { uniqueKeys: true }) ?? {};
  } catch (error) {
    throw new ConfigError(file, [{ path: '', message: yamlFault(error, ParseError) }]);
  }
}

function yamlFault(error: unknown, ParseError: typeof YAMLParseError): string {
  if (error instanceof ReferenceError) return 'has aliases (*name) that stand for too much, or for nothing';
  if (!(error instanceof ParseError)) throw error;
  if (error.code === 'RESOURCE_EXHAUSTION') return 'is nested too deep to be read';
  return maskText(error.message.trim());
}

function openingsFault(text: string): string | undefined {
  let count = 0;
  for (const _ of text.matchAll(OPENING)) count += 1;
  return count > MAX_OPENINGS ? `holds more than ${MAX_OPENINGS} lists, objects and items` : undefined;
}

/** What the reader of YAML is given, with every place as in the file. */
async function asYaml(text: string, file: string): Promise<string> {
  const bare = text.replace(/^\uFEFF/, '');
  return isJson(file) ? (await import('./plain-json.ts')).plainJson(bare) : bare;
}

function isJson(file: string): boolean {
  return file.endsWith('.json');
}

/** The same faults, each that is shown with where it stands in the file. */
export async function withPlaces(error: ConfigError, file: string): Promise<ConfigError> {
  if (error.source !== file) return error;
  const { faultPlaces } = await import('./fault-places.ts');
  const placeOf = faultPlaces(await asYaml(configText(file), file));
  const faults = error.faults.map((fault, at) =>
    at < SHOWN_FAULTS ? { ...fault, place: fault.place ?? placeOf(fault.path) } : fault,
  );
  return new ConfigError(file, faults);
}
