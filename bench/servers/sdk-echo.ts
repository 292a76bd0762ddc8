/**
 * An echo tool on the official SDK's server, version 2, stateless over node:http: a server and a
 * transport for each request, as in the README of @modelcontextprotocol/node. No authentication, no
 * rate limit, no database.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  localhostHostValidation,
  localhostOriginValidation,
  NodeStreamableHTTPServerTransport,
} from '@modelcontextprotocol/node'
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server'

const validHost = localhostHostValidation()
const validOrigin = localhostOriginValidation()

// Compiled once, in the SDK's favour. A zod schema instead costs the same.
const inputSchema = fromJsonSchema<{ text: string }>({
  type: 'object',
  properties: { text: { type: 'string' } },
  required: ['text'],
})

function echoServer(): McpServer {
  const server = new McpServer({ name: 'echo', version: '1.0.0' })
  server.registerTool('echo', { inputSchema }, ({ text }) => ({
    content: [{ type: 'text', text }],
  }))
  return server
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!validHost(request, response) || !validOrigin(request, response)) return
  const server = echoServer()
  const transport = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: undefined })
  await server.connect(transport)
  await transport.handleRequest(request, response)
}

const http = createServer((request, response) => void answer(request, response))
http.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(http.address() as AddressInfo).port}\n`)
})
process.stdin.resume().on('end', () => process.exit(0))
