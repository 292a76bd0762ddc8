/** Imports files without HTTP and without a worker: operations are called, and jobs run at once. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { isRefusal, orRefusal, type Refusal } from 'crier-server/core/errors.ts'
import { type Id, parseId } from 'crier-server/core/ids.ts'
import { createDiskFiles } from 'crier-server/files/disk.ts'
import type { Files } from 'crier-server/files/files.ts'
import { importConfirm } from 'crier-server/imports/confirm.ts'
import { importCreate } from 'crier-server/imports/create.ts'
import { importGet } from 'crier-server/imports/get.ts'
import { type ImportFacility, importJobs } from 'crier-server/imports/import.ts'
import { type ImportJobDeps, importJobKinds } from 'crier-server/imports/jobs.ts'
import { createFileReader, type FileReader } from 'crier-server/imports/reader.ts'
import { receiveFile } from 'crier-server/imports/upload.ts'
import type { Database } from 'crier-server/lib/db/types.ts'
import type { Lookup } from 'crier-server/lib/dns/resolver.ts'
import type { Mail } from 'crier-server/lib/email/mailer.ts'
import type { Job, Verdict } from 'crier-server/lib/jobs/job.ts'
import type { Clock } from 'crier-server/lib/time/clock.ts'
import { type Caller, callerIn, testVault } from '../clients/calls.ts'

interface FoundRefusal {
  code: string
  field: string
  message: string
  reason?: string
  count: number
  rows: number[]
}

export interface ImportView {
  import_id: string
  state: string
  kind?: string
  choices?: {
    reason?: string
    country?: string
    values?: object
    defaults?: object
    remembered?: boolean
  }
  upload_url?: string
  errors_url?: string
  undo_until?: string
  same_file?: { import_id: string; state: string }
  progress?: { percent: number; rows: number }
  text?: { encoding: string; is_guess: boolean; delimiter?: string; exported_by?: string }
  found?: Record<string, number> & {
    refusals: FoundRefusal[]
    left_out: FoundRefusal[]
  }
  result?: Record<string, number> & {
    undone?: { deleted: number; restored: number; left: number }
  }
  fault?: { code: string; field: string; message: string }
  untrusted?: {
    columns: {
      column: string
      becomes: string | null
      examples: string[]
      values?: string[]
      national_numbers?: boolean
    }[]
    rows?: string[][]
    doubtful?: string[]
    addresses?: Record<string, object[]>
  }
}

export type Bytes = string | Uint8Array | AsyncIterable<Uint8Array>

export interface ImportDesk {
  facility: ImportFacility
  files: Files
  folder: string
  reader: FileReader
  mails: Mail[]
  close(): Promise<void>
  /** The imports of one business. */
  in(businessId: Id<'business'>): BusinessImports
}

/** How an import begins. */
interface ImportOptions {
  name?: string
  kind?: 'contacts' | 'suppressions'
}

export interface BusinessImports {
  caller: Caller
  /** Uploads a file; returns the answer before it is checked. */
  upload(file: Bytes, asked?: ImportOptions): Promise<ImportView | Refusal>
  /** Uploads a file and runs its dry run. */
  bring(file: Bytes, asked?: ImportOptions): Promise<ImportView>
  confirm(importId: string, choices?: object): Promise<ImportView>
  /** Uploads a file, runs its dry run, confirms it and runs it to its end. */
  take(file: Bytes, choices?: object, asked?: ImportOptions): Promise<ImportView>
  get(importId: string, asked?: object): Promise<ImportView>
  /** `claims`: more than one where workers died on it. */
  run(
    kind: keyof typeof importJobs,
    importId: string,
    claims?: number,
  ): Promise<Verdict | undefined>
}

const mailServer: Lookup<'MX'> = {
  aliases: [],
  outcome: 'found',
  records: [
    { name: 'example.com', ttl: 60, type: 'MX', preference: 10, exchange: 'mx.example.com' },
  ],
  ttl: 60,
}
const absent: Lookup = { aliases: [], outcome: 'absent', retryIn: 60 }

/** `takesMail`: whether a domain has a mail server; every one has, unless a test says otherwise. */
export async function importDesk(parts: {
  db: Database
  clock: Clock
  takesMail?: (domain: string) => boolean
}): Promise<ImportDesk> {
  const { db, clock, takesMail = () => true } = parts
  const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-files-'))
  const files = createDiskFiles(folder)
  const reader = createFileReader(files)
  const mails: Mail[] = []
  const mailer = { send: async (mail: Mail) => void mails.push(mail) }
  const facility = { db, clock, files, vault: testVault, gatewayUrl: 'https://crier.example' }
  const deps: ImportJobDeps = {
    ...facility,
    hmac: testVault.hmac,
    reader,
    mailer: mailer as ImportJobDeps['mailer'],
    urls: { appUrl: 'https://app.example' },
    mailFrom: 'crier@example.com',
    resolver: {
      lookup: async (name, type) =>
        (takesMail(name) && type === 'MX' ? mailServer : absent) as never,
    },
  }
  const kinds = importJobKinds(deps)
  const [create, get] = [importCreate(facility), importGet(facility)]
  /** One connection in each business. */
  const callers = new Map<Id<'business'>, Caller>()
  return {
    facility,
    files,
    folder,
    reader,
    mails,
    async close() {
      await reader.close()
      await rm(folder, { recursive: true, force: true })
    },
    in(businessId) {
      const caller = callers.get(businessId) ?? callerIn(parts, businessId)
      callers.set(businessId, caller)
      const run: BusinessImports['run'] = async (kind, importId, claims = 1) => {
        const payload = { business_id: businessId, import_id: parseId('import', importId) }
        const job = kinds[importJobs[kind]]
        const verdict = await job?.run({ payload, claims } as Job, new AbortController().signal)
        return verdict ?? undefined
      }
      const upload: BusinessImports['upload'] = async (
        file,
        { name = 'people.csv', kind } = {},
      ) => {
        const begun = { file_name: name, ...(kind && { kind }) }
        const made = await caller.get<ImportView>(create, begun)
        const key = made.upload_url?.split('/').at(-1) ?? ''
        const receiving = { ...facility, hmac: testVault.hmac }
        return orRefusal(() => receiveFile(receiving, key, bytesOf(file)) as Promise<ImportView>)
      }
      const look: BusinessImports['get'] = (importId, asked = {}) =>
        caller.get<ImportView>(get, { import_id: importId, ...asked })
      const bring: BusinessImports['bring'] = async (file, asked) => {
        const uploaded = await upload(file, asked)
        assert.ok(!isRefusal(uploaded), isRefusal(uploaded) ? uploaded.message : '')
        await run('check', uploaded.import_id)
        return look(uploaded.import_id)
      }
      const confirm: BusinessImports['confirm'] = (importId, choices = {}) =>
        caller.get<ImportView>(importConfirm, { import_id: importId, ...choices })
      return {
        caller,
        upload,
        bring,
        confirm,
        get: look,
        run,
        async take(file, choices, asked) {
          const { import_id } = await bring(file, asked)
          await confirm(import_id, choices)
          await run('run', import_id)
          return look(import_id)
        },
      }
    },
  }
}

async function* bytesOf(file: Bytes): AsyncGenerator<Uint8Array> {
  if (typeof file === 'string') yield Buffer.from(file)
  else if (file instanceof Uint8Array) yield file
  else yield* file
}
