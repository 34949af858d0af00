/** Who the broker knows, and as whom it speaks to itself; what each may do is granted by libs/events/src/topics/make-grants.ts. */
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
