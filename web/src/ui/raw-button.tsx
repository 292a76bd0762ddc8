/** The button that shows an object as JSON. */
import { useState } from 'react'
import { words } from '../words/words.ts'
import { IconButton } from './button.tsx'
import { RawDialog } from './raw-dialog.tsx'

export function RawButton({ value }: { value: unknown }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <IconButton icon="code" label={words.rawJson} onClick={() => setOpen(true)} />
      <RawDialog value={value} open={open} onClose={() => setOpen(false)} />
    </>
  )
}
