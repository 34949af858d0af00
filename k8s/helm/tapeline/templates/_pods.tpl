{{- /* Rights of a container: none beyond its own user. */ -}}
{{- define "tapeline.confined" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end -}}

{{- define "tapeline.noExtras" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- end -}}

{{- define "tapeline.pullSecrets" -}}
{{- with .Values.images.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end -}}

{{- /* Pods of one app and role on different zones and nodes where possible. Called with `name/role`. */ -}}
{{- define "tapeline.spread" -}}
topologySpreadConstraints:
{{- $label := . }}
{{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "tapeline.labels" $label | nindent 8 }}
{{- end }}
{{- end -}}

{{- /* What every process of the node image has in common, in the pod. */ -}}
{{- define "tapeline.processPod" -}}
{{ include "tapeline.noExtras" . }}
{{- include "tapeline.pullSecrets" . }}
terminationGracePeriodSeconds: 45
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
volumes:
  - { name: tmp, emptyDir: { sizeLimit: 64Mi } }
  {{- include "tapeline.caVolume" . | nindent 2 }}
{{- end -}}

{{- /* The same, in the container `main`. A start has five minutes, because processes that start together wait for each other. */ -}}
{{- define "tapeline.processContainer" -}}
name: main
image: {{ include "tapeline.image" (list . "node") }}
{{ include "tapeline.confined" . }}
startupProbe: { httpGet: { path: /startupz, port: http }, periodSeconds: 2, timeoutSeconds: 5, failureThreshold: 150 }
readinessProbe: { httpGet: { path: /readyz, port: http }, periodSeconds: 5, timeoutSeconds: 2, failureThreshold: 2 }
livenessProbe: { httpGet: { path: /livez, port: http }, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 3 }
lifecycle: { preStop: { sleep: { seconds: 5 } } }
{{- end -}}

{{- /* A changed setting restarts the pods. */ -}}
{{- define "tapeline.checksums" -}}
checksum/settings: {{ include "tapeline.settings" . | cat .Values.caCertificates | sha256sum }}
{{- end -}}

{{- define "tapeline.caVolume" -}}
{{- if .Values.caCertificates }}
- { name: ca, configMap: { name: ca } }
{{- end }}
{{- end -}}

{{- define "tapeline.caMount" -}}
{{- if .Values.caCertificates }}
- { name: ca, mountPath: /etc/tapeline, readOnly: true }
{{- end }}
{{- end -}}

{{- /* At most one pod of an app and role is evicted at a time. Called with (list "name" "app/role"). */ -}}
{{- define "tapeline.disruptionBudget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ index . 0 }}
  labels: { app.kubernetes.io/part-of: tapeline }
spec:
  maxUnavailable: 1
  selector:
    matchLabels: {{- include "tapeline.labels" (index . 1) | nindent 6 }}
{{- end -}}

{{- define "tapeline.serviceAccount" -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ . }}
  labels: { app.kubernetes.io/part-of: tapeline }
automountServiceAccountToken: false
{{- end -}}
