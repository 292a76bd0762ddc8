import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type ServerOptions, useServer } from '../../client.ts'
import { CommandError } from '../../failure.ts'
import { say } from '../../output/output.ts'

export interface ExportOptions extends ServerOptions {
  out?: string
  format?: string
  excel?: boolean
}

export interface ContactsExportOptions extends ExportOptions {
  segment?: string
  filter?: string
}

export async function exportContacts(options: ContactsExportOptions): Promise<void> {
  const { segment, filter } = options
  await exportFile(options, {
    ...(segment !== undefined && { segment_id: segment }),
    ...(filter !== undefined && { filter: parsed(filter) }),
  })
}

export async function exportSuppressions(options: ExportOptions): Promise<void> {
  await exportFile(options, { kind: 'suppressions' })
}

async function exportFile(options: ExportOptions, thing: object): Promise<void> {
  const { out, format, excel } = options
  const asked = { ...thing, ...(format !== undefined && { format }) }
  await useServer(options, async (client, signal) => {
    const { url } = await client.call<{ url: string }>('export.create', asked, { signal })
    const file = excel ? `${url}?byte_order_mark=true` : url
    const answer = await fetch(file, { signal })
    if (!answer.ok || !answer.body) {
      throw new CommandError('unavailable', `The export cannot be fetched: ${answer.status}.`)
    }
    const body = Readable.fromWeb(answer.body as never)
    if (out === undefined) {
      // Standard output stays open for later output.
      await pipeline(body, process.stdout, { end: false })
      return
    }
    await pipeline(body, createWriteStream(out, { mode: 0o600 }))
    say(`Written to ${out}.`)
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new CommandError('usage', '--filter must be JSON, such as \'{"tag":"vip"}\'.')
  }
}
