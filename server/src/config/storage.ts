/**
 * Where files that people upload and download are stored: on this machine, or where all nodes can
 * reach them.
 */

import { fileURLToPath } from 'node:url'
import { isOnThisMachine } from '../lib/postgres/url.ts'
import type { Bucket } from '../lib/s3/request.ts'
import { ConfigError } from './readers.ts'

export type StorageSettings =
  | { kind: 'folder'; folder: string }
  | { kind: 'bucket'; bucket: Bucket; prefix: string }

const forms =
  's3://bucket or s3://bucket/prefix, or file:///folder for one that all nodes have mounted'

export function readStorage(
  text: (name: string) => string | undefined,
): StorageSettings | undefined {
  const storage = text('STORAGE_URL')
  if (storage === undefined) return undefined
  const url = URL.parse(storage)
  const isPlain = url && !url.search && !url.hash && !url.username && !url.password
  if (isPlain && url.protocol === 'file:' && !url.host && url.pathname !== '/') {
    return { kind: 'folder', folder: fileURLToPath(url) }
  }
  const name = url?.hostname ?? ''
  if (
    !isPlain ||
    url.protocol !== 's3:' ||
    url.port ||
    !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name)
  ) {
    // The value may contain a secret, so it is not repeated.
    throw new ConfigError(`STORAGE_URL takes ${forms}.`)
  }
  const path = decodeURIComponent(url.pathname).replace(/^\//, '').replace(/\/$/, '')
  const region = text('AWS_REGION') ?? 'us-east-1'
  const endpoint = text('AWS_ENDPOINT_URL_S3') ?? `https://s3.${region}.amazonaws.com`
  const bucket = { endpoint: readEndpoint(endpoint), region, name, credentials: readKeys(text) }
  return { kind: 'bucket', bucket, prefix: path === '' ? '' : `${path}/` }
}

function readEndpoint(text: string): string {
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search) {
    return url.origin
  }
  throw new ConfigError(
    `AWS_ENDPOINT_URL_S3 takes http(s)://host[:port] without a path, not "${text}".`,
  )
}

function readKeys(text: (name: string) => string | undefined) {
  const [keyId, secret] = [text('AWS_ACCESS_KEY_ID'), text('AWS_SECRET_ACCESS_KEY')]
  if (keyId !== undefined && secret !== undefined) return { keyId, secret }
  throw new ConfigError(
    'STORAGE_URL names a bucket, which needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY: a key of your storage provider that may read, write, list and delete in it.',
  )
}

interface Nodes {
  role: 'api' | 'worker' | 'all'
  databaseUrl: string | undefined
  storage: StorageSettings | undefined
}

/** A worker on another machine would look in its own folder for files that an api node received. */
export function refuseFilesOfOneMachine({ role, databaseUrl, storage }: Nodes): void {
  if (role === 'all' || storage !== undefined) return
  if (databaseUrl === undefined || isOnThisMachine(databaseUrl)) return
  throw new ConfigError(
    `STORAGE_URL is required where api and worker run apart (ROLE is ${role}) and DATABASE_URL names another machine: files that arrive at one node are read by another. It takes ${forms}.`,
  )
}
