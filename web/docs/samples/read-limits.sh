curl -s "$TAPELINE_URL/api/v1/limits" \
  -H "Authorization: Bearer $TAPELINE_KEY"
