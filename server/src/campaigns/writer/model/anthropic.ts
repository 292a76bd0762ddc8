/** Anthropic's Messages API. The answer's schema is that of a tool which the model has to call. */
import { bag, count, list, type ModelAnswer, type Protocol } from './protocol.ts'

const tool = 'draft'

export const anthropic: Protocol = {
  headers: ({ key }) => ({
    'anthropic-version': '2023-06-01',
    ...(key !== undefined && { 'x-api-key': key }),
  }),

  body({ model }, { system, turns, schema, maxTokens, plain }) {
    const messages = turns.map(({ role, text }) => ({ role, content: text }))
    const core = { model, system, messages, max_tokens: maxTokens }
    if (plain) return core
    return {
      ...core,
      tools: [{ name: tool, description: 'Takes the finished draft.', input_schema: schema }],
      tool_choice: { type: 'tool', name: tool },
    }
  },

  read(body): ModelAnswer | undefined {
    const { content, stop_reason, usage } = bag(body)
    if (!Array.isArray(content)) return undefined
    const { input_tokens, output_tokens } = bag(usage)
    const tokens = { input: count(input_tokens), output: count(output_tokens) }
    if (stop_reason === 'refusal') return { text: '', end: 'refused', tokens }
    const blocks = list(content).map(bag)
    const called = blocks.find(({ type, name }) => type === 'tool_use' && name === tool)
    const said = blocks.flatMap(({ type, text }) => (type === 'text' ? [String(text)] : []))
    const text = called ? JSON.stringify(called['input']) : said.join('')
    return { text, end: stop_reason === 'max_tokens' ? 'cut' : 'whole', tokens }
  },
}
