import { Badge } from '../../ui/badge.tsx'
import { formWords } from '../../words/forms.ts'
import type { Form } from './model.ts'

const tones = { draft: 'calm', published: 'good', archived: 'calm' } as const

export function FormStatus({ status }: { status: Form['status'] }) {
  return <Badge tone={tones[status]}>{formWords.states[status]}</Badge>
}
