import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { HttpOptions } from '@nexus/transports/http';
import type { LoadedConfig } from '../loaded-config/load-config.ts';

/** @throws {Error} naming the key of the config whose file can't be read */
export async function readTls({
  config,
  configFile,
  projectRoot,
}: LoadedConfig): Promise<HttpOptions['tls']> {
  const { tls } = config.http;
  if (!tls) return undefined;
  const folder = configFile ? dirname(configFile) : projectRoot;
  const read = async (key: 'keyFile' | 'certFile') => {
    try {
      return await readFile(resolve(folder, tls[key]));
    } catch (error) {
      throw new Error(`http.tls.${key} can't be read: ${(error as Error).message}`, { cause: error });
    }
  };
  return { key: await read('keyFile'), cert: await read('certFile') };
}
