/** A part of a page that is loaded, with its texts, when it is first shown. */
import { type ComponentType, lazy } from 'react'
import { withTexts } from '../words/texts.ts'

// biome-ignore lint/suspicious/noExplicitAny: as in React's own type of `lazy`.
type Parts<Name extends string> = Record<Name, ComponentType<any>> // oxlint-disable-line typescript/no-explicit-any

export const lazyPart = <Name extends string, Module extends Parts<NoInfer<Name>>>(
  load: () => Promise<Module>,
  name: Name,
) => lazy<Module[Name]>(async () => ({ default: (await withTexts(load)())[name] }))
