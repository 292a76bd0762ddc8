/** Chat completions of OpenAI, which most others imitate: vLLM, Ollama, Mistral. */
import { bag, count, list, type ModelAnswer, type Protocol } from './protocol.ts'

export const openai: Protocol = {
  headers: ({ key }) => (key === undefined ? {} : { authorization: `Bearer ${key}` }),

  body({ model }, { system, turns, schema, maxTokens, plain }) {
    const messages = [
      { role: 'system', content: system },
      ...turns.map(({ role, text }) => ({ role, content: text })),
    ]
    // Some servers do not know the newer name of the limit and refuse it. Models that think first
    // refuse the older name.
    if (plain) return { model, messages, max_tokens: maxTokens }
    const json_schema = { name: 'draft', strict: true, schema }
    const response_format = { type: 'json_schema', json_schema }
    return { model, messages, max_completion_tokens: maxTokens, response_format }
  },

  read(body): ModelAnswer | undefined {
    const { choices, usage } = bag(body)
    const choice = bag(list(choices)[0])
    const message = bag(choice['message'])
    const { content, refusal } = message
    const { prompt_tokens, completion_tokens } = bag(usage)
    const tokens = { input: count(prompt_tokens), output: count(completion_tokens) }
    if (typeof refusal === 'string' && refusal !== '') return { text: '', end: 'refused', tokens }
    const reason = choice['finish_reason']
    if (reason === 'content_filter') return { text: '', end: 'refused', tokens }
    if (typeof content !== 'string') return undefined
    return { text: content, end: reason === 'length' ? 'cut' : 'whole', tokens }
  },
}
