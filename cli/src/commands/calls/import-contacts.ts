import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@crier-mail/sdk'
import { confirmed } from '../../ask.ts'
import { type ServerOptions, useServer } from '../../client.ts'
import { CommandError } from '../../failure.ts'
import {
  type ImportSeen,
  mappingLines,
  progressLine,
  summaryLines,
} from '../../output/import-lines.ts'
import { print, say } from '../../output/output.ts'

interface ImportOptions extends ServerOptions {
  map?: string[]
  encoding?: string
  yes?: boolean
}

export interface ContactsOptions extends ImportOptions {
  tag?: string[]
  mode?: string
  agreed?: string
  words?: string
}

export interface SuppressionsOptions extends ImportOptions {
  reason?: string
}

const lookMs = 500

export async function importContacts(file: string, options: ContactsOptions): Promise<void> {
  await importFile(file, { options, kind: 'contacts', choices: choicesOf(options) })
}

export async function importSuppressions(
  file: string,
  options: SuppressionsOptions,
): Promise<void> {
  const { reason } = options
  const choices = reason === undefined ? {} : { reason }
  await importFile(file, { options, kind: 'suppressions', choices })
}

interface Importing {
  options: ImportOptions
  kind: 'contacts' | 'suppressions'
  choices: object
}

async function importFile(file: string, { options, kind, choices: own }: Importing): Promise<void> {
  const { size } = await found(file)
  const { encoding } = options
  const choices = { ...own, ...(encoding !== undefined && { encoding }) }
  await useServer(options, async (client, signal) => {
    const made = await client.call<ImportSeen>(
      'import.create',
      { file_name: path.basename(file), kind },
      { signal },
    )
    const seen = await send(file, { size, url: made.upload_url ?? '', signal })
    if (seen.same_file) say(`The same file was imported before: ${seen.same_file.import_id}.`)
    const look = follow(client, made.import_id, signal)
    let checked = await look('Checking')
    const isOther = encoding !== undefined && encoding !== checked.text?.encoding
    const isReadAnew = isOther && checked.text?.is_guess === true
    if ((options.map || isReadAnew) && checked.state === 'ready') {
      const changes = {
        ...(options.map && { mapping: mappingOf(options.map) }),
        ...(isReadAnew && { encoding }),
      }
      await client.call(
        'import.confirm',
        { import_id: made.import_id, ...changes, dry_run: true },
        { signal },
      )
      checked = await look('Checking')
    }
    if (checked.state !== 'ready') throw failed(checked)
    for (const line of [...mappingLines(checked), ...summaryLines(checked)]) say(line)
    await confirmed(`Import ${checked.found?.valid ?? 0} rows?`, options.yes)
    await client.call('import.confirm', { import_id: made.import_id, ...choices }, { signal })
    const done = await look('Importing')
    if (done.state === 'failed') throw failed(done)
    const { import_id, state, result, errors_url, undo_until } = done
    print({ import_id, state, ...result, errors_url, undo_until })
    const { created, updated, unchanged, refused } = result ?? {}
    const taken = (created ?? 0) + (updated ?? 0) + (unchanged ?? 0)
    if ((refused ?? 0) > 0 && taken === 0) {
      throw new CommandError('invalid_request', `None of the ${refused} rows was accepted.`)
    }
  })
}

async function found(file: string): Promise<{ size: number }> {
  try {
    return await stat(file)
  } catch {
    throw new CommandError('usage', `There is no file ${file}.`)
  }
}

function choicesOf({ tag, mode, agreed, words }: ContactsOptions) {
  if ((agreed === undefined) !== (words === undefined)) {
    throw new CommandError(
      'usage',
      '--agreed (where people agreed) and --words (to what) must be given together.',
    )
  }
  return {
    ...(tag && { tags: tag }),
    ...(mode !== undefined && { mode }),
    ...(agreed !== undefined && { consent: { email: { source: agreed, text: words } } }),
  }
}

function mappingOf(pairs: readonly string[]): Record<string, string | null> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.lastIndexOf('=')
      if (at < 1)
        throw new CommandError(
          'usage',
          '--map must be COLUMN=FIELD, such as Company=attributes.company.',
        )
      return [pair.slice(0, at), pair.slice(at + 1) || null]
    }),
  )
}

interface Sending {
  size: number
  url: string
  signal: AbortSignal
}

async function send(file: string, { size, url, signal }: Sending): Promise<ImportSeen> {
  let sent = 0
  const stream = createReadStream(file)
  stream.on('data', (chunk) => {
    sent += chunk.length
    show(`Uploading ${Math.floor((100 * sent) / Math.max(1, size))}%`)
  })
  const body = Readable.toWeb(stream)
  const answer = await fetch(url, { method: 'PUT', body, signal, duplex: 'half' } as RequestInit)
  endLine()
  const seen = (await answer.json()) as ImportSeen & { code?: string; message?: string }
  if (answer.ok) return seen
  throw new CommandError(seen.code ?? 'invalid_request', seen.message ?? 'The upload failed.')
}

/** Polls until the import waits for a decision, or has ended. */
function follow(client: Client, importId: string, signal: AbortSignal) {
  return async (doing: string): Promise<ImportSeen> => {
    for (;;) {
      const seen = await client.call<ImportSeen>('import.get', { import_id: importId }, { signal })
      if (seen.state !== 'checking' && seen.state !== 'running') {
        endLine()
        return seen
      }
      show(progressLine(doing, seen))
      await sleep(lookMs, undefined, { signal })
    }
  }
}

/** A line that is updated in place; only on a terminal. */
function show(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${line}`)
}

function endLine(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
}

function failed({ state, fault }: ImportSeen): CommandError {
  return new CommandError(fault?.code ?? 'conflict', fault?.message ?? `The import is ${state}.`)
}
