/** The id of an object, and the object as JSON in the form that the operations use. */
import { words } from '../words/words.ts'
import { Code, Copyable, CopyButton } from './copy.tsx'
import { Dialog } from './dialog.tsx'

export function RawDialog({
  value,
  id,
  open,
  onClose,
}: {
  value: unknown
  id?: string | undefined
  open: boolean
  onClose: () => void
}) {
  const text = JSON.stringify(value, null, 2)
  return (
    <Dialog open={open} onClose={onClose} title={words.developers} wide>
      {id !== undefined && <Copyable text={id} className="justify-self-start" />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard. */}
      <section aria-label={words.rawJson} tabIndex={0}>
        <Code>{text ?? ''}</Code>
      </section>
      <div className="flex justify-end">
        <CopyButton text={text ?? ''} label={words.copy} />
      </div>
    </Dialog>
  )
}
