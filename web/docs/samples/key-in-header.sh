curl -s "$TAPELINE_URL/api/v1/limits" \
  -H "x-api-key: $TAPELINE_KEY"
