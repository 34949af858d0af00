/** Users of the broker and the user of its internal connections; libs/events/src/topics/make-grants.ts grants their rights. */
export function jaasFile(passwords: Record<string, string>): string {
  const users = Object.entries(passwords).map(([user, password]) => `  user_${user}="${password}"`)
  return `KafkaServer {
  org.apache.kafka.common.security.plain.PlainLoginModule required
  username="broker"
  password="${passwords['broker']}"
${users.join('\n')};
};
`
}
