/**
 * AWS Signature Version 4 in the Authorization header, as S3 and compatible services verify it. The
 * query must be in the form of `encodeQuery` and the path in that of `encodePath`, so that the
 * signed request is the request that is sent.
 */

import { createHash, createHmac } from 'node:crypto'

export interface Credentials {
  keyId: string
  secret: string
}

export interface RequestToSign {
  method: string
  url: URL
  /** By lower-case name. All of them are signed. */
  headers: Readonly<Record<string, string>>
  /** Hexadecimal SHA-256 of the body. */
  bodyHash: string
}

export interface SigningScope {
  credentials: Credentials
  region: string
  now: Date
}

const algorithm = 'AWS4-HMAC-SHA256'

/** The headers that the request must be sent with. */
export function signedHeaders(
  { method, url, headers, bodyHash }: RequestToSign,
  { credentials, region, now }: SigningScope,
): Record<string, string> {
  const time = now.toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
  const day = time.slice(0, 8)
  const all: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-content-sha256': bodyHash,
    'x-amz-date': time,
  }
  const names = Object.keys(all).sort()
  const signed = names.join(';')
  const canonical = [
    method,
    url.pathname,
    url.search.slice(1),
    ...names.map((name) => `${name}:${all[name]?.trim()}`),
    '',
    signed,
    bodyHash,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const toSign = [algorithm, time, scope, sha256Hex(canonical)].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (before, part) => createHmac('sha256', before).update(part).digest(),
    `AWS4${credentials.secret}`,
  )
  const signature = createHmac('sha256', key).update(toSign).digest('hex')
  const { host: _, ...sent } = all
  return {
    ...sent,
    authorization: `${algorithm} Credential=${credentials.keyId}/${scope},SignedHeaders=${signed},Signature=${signature}`,
  }
}

export const sha256Hex = (bytes: string | Uint8Array) =>
  createHash('sha256').update(bytes).digest('hex')

/** RFC 3986's unreserved characters stay as they are; a browser's encoding leaves five more. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (entry) => `%${entry.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

export const encodePath = (path: string) => path.split('/').map(encode).join('/')

/** In the order of signing. A parameter without a value keeps its equals sign. */
export function encodeQuery(parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
}
