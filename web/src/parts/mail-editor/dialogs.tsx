/** The dialogs of a link and of a chip. They load when the first of them opens. */
import type { Editor } from '@tiptap/core'
import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Input, TextArea } from '../../ui/field.tsx'
import { blockWords } from '../../words/blocks.ts'
import { canvasWords } from '../../words/canvas.ts'
import { fieldWords } from '../../words/fields.ts'
import { words } from '../../words/words.ts'
import { codeOf, fieldOf, nameOfField } from '../liquid/chips.ts'
import { isAddress } from './pasted.ts'
import { addressOf } from './written-text.ts'

/** Where a link leads. */
export function LinkDialog({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const w = canvasWords.marks
  const before = String(editor.getAttributes('link')['href'] ?? '')
  const [href, setHref] = useState(before)
  const [isWrong, setWrong] = useState(false)
  const put = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    const address = addressOf(
      /^[\w-]+(?:\.[\w-]+)+(?:[/?#]|$)/.test(href.trim()) ? `https://${href.trim()}` : href,
    )
    if (!isAddress(address)) return setWrong(true)
    const chain = editor.chain().extendMarkRange('link')
    const { empty } = editor.state.selection
    if (empty && before === '') {
      const mark = { type: 'link', attrs: { href: address } }
      chain.insertContent({ type: 'text', text: href.trim(), marks: [mark] }).run()
    } else chain.setMark('link', { href: address }).run()
    onClose()
  }
  return (
    <Dialog open onClose={onClose} giveFocus={() => editor.view.focus()} title={w.link}>
      <form className="grid gap-4" onSubmit={put}>
        <Input
          label={blockWords.url}
          hint={blockWords.urlHint}
          value={href}
          onChange={({ target }) => {
            setHref(target.value)
            setWrong(false)
          }}
          fault={isWrong ? w.wrongAddress : undefined}
        />
        <DialogActions>
          {before !== '' && (
            <Button
              onClick={() => {
                editor.chain().extendMarkRange('link').unsetMark('link').run()
                onClose()
              }}
            >
              {w.noLink}
            </Button>
          )}
          <Button look="main" type="submit">
            {w.putLink}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

interface ChipDialogProps {
  editor: Editor
  pos: number
  onClose: () => void
}

/** What stands in for a value, or the author's own code. */
export function ChipDialog({ editor, pos, onClose }: ChipDialogProps) {
  const w = canvasWords.fields
  const code = String(editor.state.doc.nodeAt(pos)?.attrs['code'] ?? '')
  const field = fieldOf(code)
  const [fallback, setFallback] = useState(field?.fallback ?? '')
  const [own, setOwn] = useState(code)
  const isWhole = field !== undefined || /^\{([{%])[\s\S]*[}%]\}$/.test(own.trim())
  const put = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    const next = field ? codeOf({ ...field, fallback }) : own.trim()
    const { tr } = editor.state
    editor.view.dispatch(tr.setNodeMarkup(pos, undefined, { code: next }))
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      giveFocus={() => editor.view.focus()}
      title={field ? nameOfField(field.path) : fieldWords.own}
    >
      <form className="grid gap-4" onSubmit={put}>
        {field ? (
          <Input
            label={w.fallback}
            hint={w.fallbackHint}
            value={fallback}
            onChange={({ target }) => setFallback(target.value)}
          />
        ) : (
          <TextArea
            label={w.code}
            hint={w.codeHint}
            rows={4}
            spellCheck={false}
            className="font-mono text-sm"
            value={own}
            onChange={({ target }) => setOwn(target.value)}
            fault={isWhole ? undefined : w.notWhole}
          />
        )}
        <DialogActions>
          <Button
            onClick={() => {
              const { tr } = editor.state
              editor.view.dispatch(tr.delete(pos, pos + 1))
              onClose()
            }}
          >
            {blockWords.remove}
          </Button>
          <Button look="main" type="submit" disabled={!isWhole}>
            {words.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
