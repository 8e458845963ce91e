import { readFileSync } from 'node:fs';
import { maskText } from '@nexus/untrusted/secrets';
import { ConfigError } from './config-fault.ts';
import { parseJson } from './parse-json.ts';
import { isRawConfig, type RawConfig } from './raw-config.ts';

/**
 * Reads a config file; JSON is YAML too, so that one parser tells the faults of both. JSON may have comments and
 * trailing commas, as editors write it.
 * @throws {ConfigError} when the file can't be read or does not parse, with line and column
 */
export async function readConfigFile(file: string): Promise<RawConfig> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(file, [{ path: '', message: `can't be read: ${(error as Error).message}` }]);
  }
  const raw = parseJson(text.replace(/^\uFEFF/, '')) ?? (await parseYaml(await asYaml(text, file), file));
  if (!isRawConfig(raw)) throw new ConfigError(file, [{ path: '', message: 'must hold an object' }]);
  return raw;
}

async function parseYaml(text: string, file: string): Promise<unknown> {
  // The reader of YAML would take `{"limits": }` for a setting.
  const fault =
    isJson(file) && text.trim() !== '' ? (await import('./json-fault.ts')).jsonFault(text) : undefined;
  if (fault) throw new ConfigError(file, [{ path: '', ...fault, message: maskText(fault.message) }]);
  const { parse, YAMLParseError } = await import('./yaml.ts');
  try {
    return parse(text, { uniqueKeys: true }) ?? {};
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    throw new ConfigError(file, [{ path: '', message: maskText(error.message.trim()) }]);
  }
}

/** What the reader of YAML is given, with every place as in the file. */
async function asYaml(text: string, file: string): Promise<string> {
  const bare = text.replace(/^\uFEFF/, '');
  return isJson(file) ? (await import('./plain-json.ts')).plainJson(bare) : bare;
}

function isJson(file: string): boolean {
  return file.endsWith('.json');
}

/** The same faults, each with where it stands in the file. */
export async function withPlaces(error: ConfigError, file: string): Promise<ConfigError> {
  if (error.source !== file) return error;
  const { faultPlaces } = await import('./fault-places.ts');
  const placeOf = faultPlaces(await asYaml(readFileSync(file, 'utf8'), file));
  const faults = error.faults.map((fault) => ({ ...fault, place: fault.place ?? placeOf(fault.path) }));
  return new ConfigError(file, faults);
}
