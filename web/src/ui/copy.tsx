/** Short texts and code to copy. */
import { useState } from 'react'
import { words } from '../words/words.ts'
import { Button } from './button.tsx'
import { cx } from './classes.ts'
import { Icon } from './icon.tsx'

function useCopied(text: string) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1_500)
  }
  return { copied, copy }
}

/** An id, or another short text, that a click copies. */
export function Copyable({ text, className }: { text: string; className?: string | undefined }) {
  const { copied, copy } = useCopied(text)
  return (
    <button
      type="button"
      onClick={() => void copy()}
      title={words.copy}
      className={cx(
        'inline-flex max-w-full items-center gap-1 rounded px-1 -mx-1 max-sm:min-h-6 font-mono text-xs text-muted hover:bg-hover hover:text-ink',
        className,
      )}
    >
      <span className="truncate">{text}</span>
      <Icon name={copied ? 'check' : 'copy'} className="size-3 shrink-0" />
      <span className="sr-only" aria-live="polite">
        {copied ? words.copied : words.copy}
      </span>
    </button>
  )
}

export function CopyButton({ text, label }: { text: string; label: string }) {
  const { copied, copy } = useCopied(text)
  return (
    <Button icon={copied ? 'check' : 'copy'} onClick={() => void copy()}>
      {copied ? words.copied : label}
    </Button>
  )
}

export function Code({ children }: { children: string }) {
  return (
    <pre className="max-h-[60vh] overflow-auto rounded-lg border border-line bg-sunken p-3 font-mono text-xs whitespace-pre-wrap">
      {children}
    </pre>
  )
}
