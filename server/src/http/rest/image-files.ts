/**
 * Serves pictures of mail to everybody, as files that can do nothing in a browser: those that were
 * uploaded, and the icons of networks. The database is not asked, so that pictures are there while it
 * is not.
 */

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { refuse } from '../../core/errors.ts'
import { FileMissing, type Files } from '../../files/files.ts'
import { pathOf, readAddress } from '../../images/image.ts'
import { type Network, networks } from '../../templates/blocks/types.ts'

const day = 24 * 3600
const year = 365 * day

export function registerImageFiles(app: FastifyInstance, { files }: { files: Files }): void {
  app.get<{ Params: { name: string } }>('/images/:name', async (request, reply) => {
    const network = networkOf(request.params.name)
    if (network !== undefined) {
      const icon = await readFile(new URL(`../../images/networks/${network}.png`, import.meta.url))
      const tag = `"${createHash('sha256').update(icon).digest('hex').slice(0, 32)}"`
      reply.headers({
        'content-type': 'image/png',
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'cross-origin',
        // Its address stays the same when it is drawn anew.
        'cache-control': `public, max-age=${30 * day}`,
        etag: tag,
      })
      return request.headers['if-none-match'] === tag ? reply.code(304).send() : reply.send(icon)
    }
    const image = readAddress(request.params.name)
    if (!image) throw noPicture
    const tag = `"${image.file}"`
    reply.headers({
      'content-type': `image/${image.kind}`,
      'content-security-policy': "default-src 'none'; sandbox",
      // Webmail shows it within pages of other origins.
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': `public, max-age=${year}, immutable`,
      etag: tag,
    })
    const content = files.read(pathOf(image.file, image.kind))[Symbol.asyncIterator]()
    try {
      const first = await content.next()
      if (request.headers['if-none-match'] === tag) {
        await content.return?.()
        return reply.code(304).send()
      }
      return reply.send(Readable.from(following(first, content), { objectMode: false }))
    } catch (error) {
      if (!(error instanceof FileMissing)) throw error
      reply.removeHeader('content-type').removeHeader('etag').removeHeader('cache-control')
      throw noPicture
    }
  })
}

/** The network of the name of an icon, such as `network-mastodon.png`. */
function networkOf(name: string): Network | undefined {
  const all = Object.keys(networks) as Network[]
  return all.find((network) => name === `network-${network}.png`)
}

const noPicture = refuse('not_found', 'There is no such picture.')

async function* following(
  first: IteratorResult<Uint8Array>,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for (let next = first; !next.done; next = await rest.next()) yield next.value
}
