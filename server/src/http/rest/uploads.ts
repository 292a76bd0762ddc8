/**
 * Bodies that are files are passed on as they arrive, whatever their size. Other requests have to
 * arrive within 30 seconds. For an upload only its pauses are limited.
 */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { importLimits, tooLarge } from '../../imports/import.ts'
import { refuseMediaType } from '../body.ts'

/** Milliseconds without a byte after which an upload is aborted. */
const longestPauseMs = 60_000

const uploading = new WeakSet<Socket>()

interface WithFile {
  file?: readonly string[]
}

/**
 * Routes of this scope with `file` in their config accept a file of the types listed there, which are
 * among `types`.
 */
export function takeFiles(scope: FastifyInstance, types: ReadonlySet<string>): void {
  scope.addContentTypeParser([...types], (request, payload, done) => {
    const { file = [] } = request.routeOptions.config as WithFile
    const type = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase()
    if (!file.some((text) => text === type)) {
      done(refuseMediaType(request))
      return
    }
    uploading.add(request.raw.socket)
    done(null, payload)
  })
}

/** The file of a request, if it has one. */
export function fileIn({ body, raw }: FastifyRequest): AsyncIterable<Uint8Array> | undefined {
  return body === raw ? readUpload(raw) : undefined
}

export async function* readUpload(raw: IncomingMessage): AsyncGenerator<Uint8Array> {
  const { socket, headers } = raw
  // Nobody has to send a gigabyte to hear that the file is too large.
  if (Number(headers['content-length']) > importLimits.fileBytes) throw tooLarge()
  uploading.add(socket)
  const end = () => raw.destroy(new Error('an upload paused for too long'))
  const pause = setTimeout(end, longestPauseMs)
  try {
    // The reader may stop early to respond with an error; `http/server.ts` drops the rest.
    for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
      pause.refresh()
      yield chunk as Uint8Array
      pause.refresh()
    }
  } finally {
    clearTimeout(pause)
    uploading.delete(socket)
  }
}

/** Node ends requests that do not arrive within the server's time. Uploads are exempt from that. */
export function spareUploads({ server }: FastifyInstance): void {
  const others = server.listeners('clientError') as ((error: Error, socket: Socket) => void)[]
  server.removeAllListeners('clientError')
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && uploading.has(socket)) return
    for (const other of others) other(error, socket)
  })
}
