/**
 * Where files that people upload and download are stored: on this machine, or where all nodes can
 * reach them.
 */

import { fileURLToPath } from 'node:url'
import { isOnThisMachine } from '../lib/postgres/url.ts'
import type { Bucket } from '../lib/s3/request.ts'
import type { Credentials } from '../lib/s3/signature.ts'
import { ConfigError } from './readers.ts'

export type StorageSettings =
  | { kind: 'folder'; folder: string }
  | { kind: 'bucket'; bucket: Bucket; prefix: string }

/** Where buckets are, and who asks: the AWS_ settings, which all places in buckets share. */
export interface BucketAccess {
  endpoint: string
  region: string
  credentials: Credentials | undefined
}

export type BucketSettings = Extract<StorageSettings, { kind: 'bucket' }>

const bucketForm = 's3://bucket or s3://bucket/prefix'
const forms = `${bucketForm}, or file:///folder for one that all nodes have mounted`

export function readBucketAccess(text: (name: string) => string | undefined): BucketAccess {
  const region = text('AWS_REGION') ?? 'us-east-1'
  const endpoint = text('AWS_ENDPOINT_URL_S3') ?? `https://s3.${region}.amazonaws.com`
  const [keyId, secret] = [text('AWS_ACCESS_KEY_ID'), text('AWS_SECRET_ACCESS_KEY')]
  const credentials = keyId !== undefined && secret !== undefined ? { keyId, secret } : undefined
  return { endpoint: readEndpoint(endpoint), region, credentials }
}

export function readStorage(
  text: (name: string) => string | undefined,
): StorageSettings | undefined {
  const storage = text('STORAGE_URL')
  if (storage === undefined) return undefined
  const url = URL.parse(storage)
  if (isPlain(url) && url.protocol === 'file:' && !url.host && url.pathname !== '/') {
    return { kind: 'folder', folder: fileURLToPath(url) }
  }
  return readBucket(storage, { name: 'STORAGE_URL', forms, access: readBucketAccess(text) })
}

interface BucketReading {
  /** The setting or argument, as it is named in an error. */
  name: string
  /** The forms that it takes. */
  forms?: string
  access: BucketAccess
}

/** Reads s3://bucket/prefix. The value may contain a secret, so no error repeats it. */
export function readBucket(
  value: string,
  { name, forms: form = bucketForm, access }: BucketReading,
): BucketSettings {
  const url = URL.parse(value)
  const bucketName = url?.hostname ?? ''
  if (
    !isPlain(url) ||
    url.protocol !== 's3:' ||
    url.port ||
    !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucketName)
  ) {
    throw new ConfigError(`${name} must be ${form}.`)
  }
  const { endpoint, region, credentials } = access
  if (!credentials) {
    throw new ConfigError(
      `${name} names a bucket, which needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY: a key of your storage provider that may read, write, list and delete in it.`,
    )
  }
  const path = decodeURIComponent(url.pathname).replace(/^\//, '').replace(/\/$/, '')
  const bucket = { endpoint, region, name: bucketName, credentials }
  return { kind: 'bucket', bucket, prefix: path === '' ? '' : `${path}/` }
}

const isPlain = (url: URL | null): url is URL =>
  url !== null && !url.search && !url.hash && !url.username && !url.password

function readEndpoint(text: string): string {
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search) {
    return url.origin
  }
  throw new ConfigError(
    `AWS_ENDPOINT_URL_S3 must be http(s)://host[:port] without a path, not "${text}".`,
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
    `STORAGE_URL is required where api and worker run apart (ROLE is ${role}) and DATABASE_URL names another machine: files that arrive at one node are read by another. It must be ${forms}.`,
  )
}
