import { Badge } from '../../ui/badge.tsx'
import { words } from '../../words/words.ts'
import type { Form } from './model.ts'

const tones = { draft: 'calm', published: 'good', archived: 'calm' } as const

export function FormStatus({ status }: { status: Form['status'] }) {
  return <Badge tone={tones[status]}>{words.forms.states[status]}</Badge>
}
