/** The used parts of packages that come without types. */
declare module 'mjml-core' {
  interface MjmlOptions {
    validationLevel: 'soft'
    ignoreIncludes: true
    keepComments: boolean
    minify: boolean
    beautify: boolean
    fonts: Record<string, string>
    presets: { components: unknown[] }[]
  }
  const core: {
    default(
      source: string,
      options: MjmlOptions,
    ): Promise<{ html: string; errors: { line: number; message: string }[] }>
  }
  export = core
}

declare module 'mjml-preset-core' {
  const preset: { components: unknown[] }
  export = preset
}

declare module 'html-to-text' {
  interface Selector {
    selector: string
    format?: string
    options?: Record<string, boolean | number>
  }
  export interface TextElement {
    type: string
    name?: string
    attribs?: Record<string, string>
    /** The text of a text node. */
    data?: string
    children: TextElement[]
    parent: TextElement | null
    next: TextElement | null
  }
  interface Builder {
    options: { formatters: Record<'anchor', Formatter> }
    addInline(text: string): void
    openTable(): void
    openTableRow(): void
    openTableCell(): void
    closeTableCell(cell: { colspan: number }): void
    closeTableRow(): void
    closeTable(table: {
      tableToString(rows: readonly { text: string; colspan: number }[][]): string
    }): void
  }
  type Formatter = (
    element: TextElement,
    walk: (children: TextElement[], builder: Builder) => void,
    builder: Builder,
    options: object,
  ) => void
  export function convert(
    html: string,
    options: {
      wordwrap: false
      formatters: Record<string, Formatter>
      selectors: Selector[]
      limits: { maxInputLength: number; maxDepth: number }
    },
  ): string
}
