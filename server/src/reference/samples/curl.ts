/** A call as curl sends it. */
import type { SampleRequest } from '../routes.ts'
import { json, print } from './print.ts'
import { shellLines, shellWord } from './shell.ts'

export function curlSample({ method, path, body }: SampleRequest, gatewayUrl: string): string {
  const url = shellWord(`${gatewayUrl}${path}`)
  const parts = [
    method === 'GET' ? `curl ${url}` : `curl -X ${method} ${url}`,
    '-H "Authorization: Bearer $CRIER_TOKEN"',
  ]
  if (body) parts.push(`-H 'Content-Type: application/json'`, `-d ${shellWord(print(body, json))}`)
  return shellLines(parts)
}
