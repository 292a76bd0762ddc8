import { Badge, type Tone } from '../../ui/badge.tsx'
import { importWords } from '../../words/imports.ts'
import type { Import } from './import.tsx'

const tones: Record<Import['state'], Tone> = {
  awaiting_file: 'calm',
  checking: 'live',
  ready: 'warn',
  running: 'live',
  paused: 'warn',
  done: 'good',
  failed: 'bad',
  cancelled: 'calm',
  undoing: 'live',
  undone: 'calm',
}

export function ImportState({ state }: { state: Import['state'] }) {
  return <Badge tone={tones[state]}>{importWords.states[state]}</Badge>
}
