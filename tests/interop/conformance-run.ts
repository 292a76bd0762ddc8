/** Runs the conformance suite as its users do, and reads its results. */
import { mkdir, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import {
  binOf,
  type Home,
  type Program,
  startProgram,
} from '../support/processes/client-process.ts'

export interface Check {
  id: string
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  errorMessage?: string
}

/** The checks by scenario. */
export type Results = Map<string, Check[]>

export interface SuiteRun {
  program: Program
  results(): Promise<Results>
}

export async function startSuite(home: Home, args: readonly string[]): Promise<SuiteRun> {
  const out = path.join(home.dir, 'results')
  await mkdir(out, { recursive: true })
  const file = await binOf('@modelcontextprotocol/conformance', 'conformance')
  const program = startProgram(file, [...args, '--output-dir', out], home)
  return {
    program,
    async results() {
      await program.done
      return readResults(out)
    },
  }
}

// A folder's name looks like `server-ping-2026-01-02T03-04-05-678Z`.
const folderName = /^(?:authorization-)?server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/

async function readResults(out: string): Promise<Results> {
  const results: Results = new Map()
  for (const folder of await readdir(out)) {
    const scenario = folderName.exec(folder)?.[1]
    if (!scenario) throw new Error(`Not a folder of results: ${folder}`)
    const text = await readFile(path.join(out, folder, 'checks.json'), 'utf8')
    results.set(scenario, JSON.parse(text) as Check[])
  }
  return results
}

export const faults = (checks: readonly Check[]): Check[] =>
  checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')

export const succeeded = (checks: readonly Check[]): boolean =>
  faults(checks).length === 0 && checks.some(({ status }) => status === 'SUCCESS')
