/** The releases so far, as docs/releases.md lists them: its table is their only definition. */
import { readFileSync } from 'node:fs'
import path from 'node:path'

interface Release {
  /** Such as `v1.1.0`. */
  version: string
  /** Such as `2026-11-26`. */
  date: string
  commit: string
}

const page = path.join(import.meta.dirname, '../../docs/releases.md')
const row = /^\| (v\d+\.\d+\.\d+) +\| (\d{4}-\d\d-\d\d) \| `([0-9a-f]{40})` \|$/gm

/** The newest first. */
export function readReleases(): Release[] {
  return [...readFileSync(page, 'utf8').matchAll(row)].map(
    ([, version = '', date = '', commit = '']) => ({ version, date, commit }),
  )
}
