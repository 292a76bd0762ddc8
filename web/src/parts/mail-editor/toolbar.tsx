/** What can be done with the words that are chosen: marks, a link, and values that are filled in. */
import type { Editor } from '@tiptap/core'
import { NodeSelection } from '@tiptap/pm/state'
import { type FormEvent, type ReactNode, useEffect, useReducer, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/classes.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Input, Select, TextArea } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { blockWords } from '../../words/block-words.ts'
import { canvasWords } from '../../words/canvas-words.ts'
import { words } from '../../words/words.ts'
import { codeOf, fieldOf, nameOfField } from './chips.ts'
import { FieldMenu } from './field-menu.tsx'
import { isAddress } from './pasted.ts'
import { hasMarks } from './schema.ts'
import { addressOf } from './written-text.ts'

/** Renders again whenever the words or the choice of an editor change. */
export function useEditorState(editor: Editor | undefined): void {
  const [, changed] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    if (!editor) return undefined
    editor.on('transaction', changed)
    return () => {
      editor.off('transaction', changed)
    }
  }, [editor])
}

interface ToolbarProps {
  editor: Editor
  onLink: () => void
  /** It stands beside the words, and not in the settings. */
  floats?: boolean
}

export function Toolbar({ editor, onLink, floats = false }: ToolbarProps) {
  useEditorState(editor)
  const w = canvasWords.marks
  const mark = (name: string) => editor.chain().focus().toggleMark(name).run()
  const size = String(editor.getAttributes('size')['step'] ?? '')
  return (
    <div
      role="toolbar"
      aria-label={floats ? w.floating : w.title}
      className={cx(
        'flex flex-wrap items-center gap-0.5',
        floats && 'rounded-lg border border-line bg-raised p-1 shadow-pop',
      )}
    >
      {hasMarks(editor) && (
        <>
          <MarkButton editor={editor} mark="bold" label={w.bold} keys="B" onPress={mark}>
            <b>B</b>
          </MarkButton>
          <MarkButton editor={editor} mark="italic" label={w.italic} keys="I" onPress={mark}>
            <i className="font-serif">I</i>
          </MarkButton>
          <MarkButton editor={editor} mark="underline" label={w.underline} keys="U" onPress={mark}>
            <span className="underline">U</span>
          </MarkButton>
          <MarkButton editor={editor} mark="link" label={w.link} keys="K" onPress={onLink}>
            <Icon name="link" />
          </MarkButton>
          <MarkButton editor={editor} mark="accent" label={w.accent} onPress={mark}>
            <span className="border-b-2 border-accent leading-4 font-semibold text-link">A</span>
          </MarkButton>
          <Select
            label={w.size}
            hidden
            className="w-24!"
            value={size}
            onChange={({ target }) => {
              const chain = editor.chain().focus()
              if (target.value === '') chain.unsetMark('size').run()
              else chain.setMark('size', { step: target.value }).run()
            }}
            options={Object.entries(w.sizes)}
          />
        </>
      )}
      <FieldMenu
        onField={(code) =>
          editor.chain().focus().insertContent({ type: 'liquid', attrs: { code } }).run()
        }
      />
    </div>
  )
}

interface MarkButtonProps {
  editor: Editor
  mark: string
  label: string
  keys?: string
  onPress: (mark: string) => void
  children: ReactNode
}

const isApple = /Mac|iP(?:hone|ad)/.test(navigator.platform)

function MarkButton({ editor, mark, label, keys, onPress, children }: MarkButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-pressed={editor.isActive(mark)}
      title={
        keys === undefined
          ? label
          : `${label} (${isApple ? '⌘' : canvasWords.marks.control}${keys})`
      }
      // The choice stays in the words.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onPress(mark)}
      className={cx(
        'inline-flex size-8 items-center justify-center rounded-md hover:bg-hover max-sm:size-10',
        editor.isActive(mark) ? 'bg-accent-ground text-link' : 'text-ink',
      )}
    >
      {children}
    </button>
  )
}

/** Where a link leads. */
export function LinkDialog({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const w = canvasWords.marks
  const before = String(editor.getAttributes('link')['href'] ?? '')
  const [href, setHref] = useState(before)
  const [isWrong, setWrong] = useState(false)
  const end = () => {
    onClose()
    // After the dialog has given the focus back.
    setTimeout(() => editor.commands.focus(), 50)
  }
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
    end()
  }
  return (
    <Dialog open onClose={end} title={w.link}>
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
                end()
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
  const end = () => {
    onClose()
    setTimeout(() => editor.commands.focus(), 50)
  }
  const put = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    const next = field ? codeOf({ ...field, fallback }) : own.trim()
    const { tr } = editor.state
    editor.view.dispatch(tr.setNodeMarkup(pos, undefined, { code: next }))
    end()
  }
  return (
    <Dialog open onClose={end} title={field ? nameOfField(field.path) : w.own}>
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
              end()
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

/** Where the choice of an editor is, within the box that the toolbar floats in. */
export function placeOfChoice(
  editor: Editor,
  box: Element,
): { left: number; top: number } | undefined {
  const { selection } = editor.state
  if (selection.empty || selection instanceof NodeSelection || !editor.isFocused) return undefined
  const [start, end] = [
    editor.view.coordsAtPos(selection.from),
    editor.view.coordsAtPos(selection.to),
  ]
  const around = box.getBoundingClientRect()
  const isNarrow = around.width < 480
  // On a phone its own menu is above the words.
  const top = isNarrow ? end.bottom + 8 : start.top - 52
  const left = isNarrow ? 4 : Math.min(start.left, around.right - 400)
  return {
    left: isNarrow ? 4 : Math.max(4, left - around.left),
    top: Math.max(-12, top - around.top),
  }
}
