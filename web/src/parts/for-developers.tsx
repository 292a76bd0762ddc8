/** What programs need of an object: its id and its JSON. Whoever only looks and decides has no use for it. */
import { useState } from 'react'
import { useMay } from '../api/businesses.ts'
import { IconButton } from '../ui/button.tsx'
import { RawDialog } from '../ui/raw-dialog.tsx'
import { words } from '../words/words.ts'

export function ForDevelopers({ value, id }: { value: unknown; id?: string }) {
  const [open, setOpen] = useState(false)
  if (!useMay('editor')) return null
  return (
    <>
      <IconButton icon="code" label={words.developers} onClick={() => setOpen(true)} />
      <RawDialog value={value} id={id} open={open} onClose={() => setOpen(false)} />
    </>
  )
}
